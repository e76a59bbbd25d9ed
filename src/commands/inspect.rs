//! `inspect`: what each file was taken for and why, what nobody could read, and what is missing.

use std::fmt::Write;
use std::path::PathBuf;

use dnsmortem::bundle::size;
use dnsmortem::cluster::Cluster;
use dnsmortem::detectors::needs;
use dnsmortem::inventory::{Item, Part};
use dnsmortem::report::{Bundle, BundleProblem, Missing, escape};
use dnsmortem::{Reading, Settings};
use serde::Serialize;

use super::{Done, files, limits::Limits, print};

/// Arguments of `inspect`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Folder, archive or text file; `-` is standard input.
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<PathBuf>,
    /// Format of what is printed.
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
    #[command(flatten)]
    limits: Limits,
}

/// Renderings.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Terminal,
    Json,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Inventory<'a> {
    schema: &'static str,
    name: &'a str,
    sha256: Option<&'a str>,
    files: &'a [Item],
    /// How many links there are; none is followed.
    links: usize,
    problems: &'a [BundleProblem],
    missing: &'a [Missing],
}

/// How many parts of one file are listed for a person.
const PARTS: usize = 40;

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<Done, String> {
    let settings = Settings { budget: arguments.limits.0.clone() };
    let reading = files::reading(&arguments.bundles, &settings, |inputs| dnsmortem::read(inputs, &settings))?;
    let Reading { mut bundle, items, links, facts } = reading;
    let cluster = Cluster::build(facts);
    bundle.add(&cluster.problems);
    let missing = needs::incomplete(&cluster);
    let text = match arguments.format {
        Format::Terminal => table(&bundle, &items, links.len(), &missing),
        Format::Json => json(&bundle, &items, links.len(), &missing)?,
    };
    print(&text)?;
    Ok(Done::Fine)
}

fn json(bundle: &Bundle, items: &[Item], links: usize, missing: &[Missing]) -> Result<String, String> {
    let inventory = Inventory {
        schema: "dnsmortem.inventory/1",
        name: &bundle.name,
        sha256: bundle.sha256.as_deref(),
        files: items,
        links,
        problems: &bundle.problems,
        missing,
    };
    let text = serde_json::to_string_pretty(&inventory).map_err(|error| error.to_string())?;
    Ok(format!("{text}\n"))
}

fn table(bundle: &Bundle, items: &[Item], links: usize, missing: &[Missing]) -> String {
    let mut out = String::new();
    for item in items {
        file(&mut out, item);
    }
    let unknown: Vec<&Item> = items.iter().filter(|item| item.parts.iter().any(Part::is_unknown)).collect();
    let facts: usize = items.iter().flat_map(|item| &item.parts).map(|part| part.facts).sum();
    line(&mut out, &format!("\n{} files, {facts} facts taken from them", items.len()));
    if links > 0 {
        line(&mut out, &format!("{links} links, none followed; those that lead to nothing in the bundle are problems"));
    }
    if !unknown.is_empty() {
        line(&mut out, "\nNot recognised, in whole or in part:");
        for item in unknown {
            line(&mut out, &format!("  {}", item.path));
        }
    }
    if !bundle.problems.is_empty() {
        line(&mut out, "\nProblems:");
        for problem in &bundle.problems {
            let place = if problem.path.is_empty() { &bundle.name } else { &problem.path };
            line(&mut out, &format!("  {place}: {}", problem.message));
        }
    }
    if !missing.is_empty() {
        line(&mut out, "\nMissing for a complete bundle:");
        for one in missing {
            line(&mut out, &format!("  {}\n    {}", one.what, one.command));
        }
    }
    out
}

/// A line of text; whatever a file's name or a command holds is inert.
fn line(out: &mut String, text: &str) {
    for line in text.split('\n') {
        let _ = writeln!(out, "{}", escape::visible(line));
    }
}

/// Size, lines, what it is, and where it stands; a file of several parts lists them below.
fn file(out: &mut String, item: &Item) {
    let kind = match &*item.parts {
        [] | [_] => item.kind(),
        parts => format!("{} parts", parts.len()).into(),
    };
    let mut about = vec![format!("{:>10} {:>9}  {kind:<18}  {}", size(item.bytes), item.lines, item.path)];
    if let [only] = &*item.parts {
        about.push(described(only));
    }
    about.extend((!item.note.is_empty()).then(|| item.note.clone()));
    line(out, &about.join("  "));
    if item.parts.len() < 2 {
        return;
    }
    for part in item.parts.iter().take(PARTS) {
        let range = if part.last_line < part.first_line {
            format!("line {}", part.first_line)
        } else {
            format!("lines {}-{}", part.first_line, part.last_line)
        };
        line(out, &format!("{:>22}{:<18}  {range}  {}", "", part.name(), described(part)));
    }
    if item.parts.len() > PARTS {
        let more = item.parts.len() - PARTS;
        line(out, &format!("{:>22}… {more} more parts (--format json lists all)", ""));
    }
}

/// Why it was taken for what it is, by what command, whose it is, and the times that it covers.
fn described(part: &Part) -> String {
    let mut words = vec![part.why.name().to_owned()];
    words.extend(part.command.as_ref().map(|command| format!("`{command}`")));
    words.extend((!part.pods.is_empty()).then(|| pods(&part.pods)));
    words.extend(part.from.zip(part.to).map(|(from, to)| format!("{from} to {to}")));
    format!("({})", words.join("; "))
}

/// The first pods by name, the rest counted.
fn pods(pods: &[String]) -> String {
    const NAMED: usize = 3;
    let named = pods.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = pods.len().saturating_sub(NAMED);
    if more > 0 { format!("{named}, … {more} more") } else { named }
}
