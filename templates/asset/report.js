"use strict";
// Comfort only: the page is complete without it.
(() => {
  const all = (what) => Array.from(document.querySelectorAll(what));

  const put = (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject();
  };
  for (const pre of all("pre.command")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => {
      put(pre.textContent).then(() => { button.textContent = "Copied"; }, () => { button.textContent = "Select and copy"; });
    });
    const frame = document.createElement("div");
    frame.className = "frame";
    pre.replaceWith(frame);
    frame.append(pre, button);
  }

  const box = document.querySelector(".filter");
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = "Filter findings, files and moments";
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const part of all("[data-filter]")) {
      const text = part.textContent.toLowerCase();
      part.hidden = !words.every((word) => text.includes(word));
    }
  });
  box.append(field);

  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    const folded = target && target.closest("details");
    if (folded) {
      folded.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();
  addEventListener("beforeprint", () => all("details").forEach((part) => { part.open = true; }));
})();
