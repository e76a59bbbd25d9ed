//! Texts.

use std::io::Write;

use crate::Trap;

/// Writes `piece` so often; stops where nobody reads on.
fn repeat(out: &mut dyn Write, piece: &[u8], times: usize) {
    for _ in 0..times {
        if out.write_all(piece).is_err() {
            return;
        }
    }
}

/// One line for each number.
fn lines(count: usize, line: impl Fn(usize) -> String) -> Vec<u8> {
    (0..count).flat_map(|number| (line(number) + "\n").into_bytes()).collect()
}

const MIB: usize = 1 << 20;

/// Ten anchors, each ten aliases of the one before.
fn laughs() -> Vec<u8> {
    let mut text = "apiVersion: v1\nkind: ConfigMap\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..10 {
        let before = format!("*a{},", level - 1).repeat(10);
        text += &format!("a{level}: &a{level} [{}]\n", before.trim_end_matches(','));
    }
    text.into_bytes()
}

fn deep_yaml() -> Vec<u8> {
    let mut text = "apiVersion: v1\nkind: Pod\n".to_owned();
    for depth in 0..3000 {
        text += &" ".repeat(depth);
        text += "a:\n";
    }
    text.into_bytes()
}

fn objects() -> Vec<Trap> {
    let json =
        |start: &str, piece: &str, times: usize, end: &str| [start, &piece.repeat(times), end].concat().into_bytes();
    vec![
        Trap::file("a million brackets", "b.json", "b.json", move || json("{\"kind\":\"Pod\",\"a\":", "[", MIB, "")),
        Trap::file("objects in each other, ten thousand deep", "d.json", "d.json", move || {
            json("{\"kind\":\"Pod\",\"x\":1,\"a\":", "{\"a\":", 10_000, "1")
        }),
        Trap::file("an object of two million values", "v.json", "--max-object-values", move || {
            json("{\"kind\":\"Pod\",\"a\":[1", ",1", 2 * MIB, "]}")
        }),
        Trap::file("a key that stands a hundred thousand times", "k.json", "stands twice", move || {
            json("{\"kind\":\"ConfigMap\"", ",\"data\":{}", 100_000, "}")
        }),
        Trap::file("a string that never ends", "s.json", "s.json", move || {
            json("{\"kind\":\"Pod\",\"metadata\":{\"name\":\"", "x", 4 * MIB, "")
        }),
        Trap::file("numbers beyond all bounds", "n.json", "", move || {
            b"{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"status\":{\"containerStatuses\":[{\"restartCount\":1e999}],\"startTime\":\"99999-99-99T99:99:99Z\"},\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"memory\":\"9999999999999999999999Ei\"}}}]}}".to_vec()
        }),
        Trap::file("half a million lines of JSON", "l.json", "", move || {
            json("{\"kind\":\"Pod\"}\n", "{\"a\":1}\n", 500_000, "")
        }),
        Trap::file("a billion laughs", "y.yaml", "y.yaml", laughs),
        Trap::file("an anchor in itself", "r.yaml", "r.yaml", || {
            b"apiVersion: v1\nkind: Pod\na: &a [*a, *a]\nb: *a\n".to_vec()
        }),
        Trap::file("YAML three thousand deep", "e.yaml", "e.yaml", deep_yaml),
        Trap::file("brackets in YAML", "f.yaml", "f.yaml", || {
            [b"kind: Pod\napiVersion: v1\na: ".to_vec(), vec![b'['; 40_000]].concat()
        }),
        Trap::file("three hundred thousand documents", "m.yaml", "", || {
            b"kind: Pod\napiVersion: v1\n".iter().copied().chain(b"---\na: 1\n".repeat(300_000)).collect()
        }),
        Trap::file("tabs, tags and merges", "t.yaml", "", || {
            b"kind: !!python/object Pod\napiVersion: v1\n\ta: 1\n<<: [*x]\n? a\n: b\n".to_vec()
        }),
        Trap::file("a table of a hundred thousand columns", "c.txt", "", || {
            let heading = "NAME READY STATUS ".repeat(30_000);
            format!("NAME   READY   STATUS   {heading}\na   1/1   Running\n").into_bytes()
        }),
        Trap::file("a describe that goes ever deeper", "p.txt", "", || {
            let mut text = "Name:         coredns\nNamespace:    kube-system\nLabels:       a=b\n".to_owned();
            for depth in 0..2000 {
                text += &format!("{}Deeper:\n", " ".repeat(depth));
            }
            text.into_bytes()
        }),
        Trap::file("a Corefile of half a million braces", "Corefile", "", || {
            [".:53 ".to_owned(), "{\n".repeat(500_000)].concat().into_bytes()
        }),
        Trap::file("snippets that import each other", "Corefile.txt", "", || {
            let mut text = String::new();
            for level in 0..30 {
                text += &format!("(s{level}) {{\n    import s{next}\n    import s{next}\n}}\n", next = level + 1);
            }
            (text + ".:53 {\n    import s0\n}\n").into_bytes()
        }),
    ]
}

fn logs() -> Vec<Trap> {
    let time = |n: usize| format!("2026-03-19T{:02}:{:02}:{:02}Z", n / 3600 % 24, n / 60 % 60, n % 60);
    vec![
        Trap::stdin("a line of a gibibyte", "--max-unknown-held", |out| repeat(out, &[b'x'; MIB], 1024)),
        Trap::stdin("a log line of 512 MiB", "", |out| {
            let _ = out.write_all(b"[INFO] plugin/reload: a\n[ERROR] ");
            repeat(out, &[b'x'; MIB], 512);
        }),
        Trap::stdin("a gibibyte of zeros behind a log", "", |out| {
            let _ = out.write_all(b"[INFO] a\n".repeat(10_000).as_slice());
            repeat(out, &[0; MIB], 256);
        }),
        Trap::file("200,000 upstreams", "u.log", "", || {
            lines(200_000, |n| {
                format!(
                    "[ERROR] plugin/errors: 2 a{n}.example. A: read udp 10.0.0.1:5->{}.{}.{}.9:53: i/o timeout",
                    n >> 16,
                    n >> 8 & 255,
                    n & 255
                )
            })
        }),
        Trap::file("100,000 pods in one log", "p.log", "", || {
            lines(100_000, |n| format!("[pod/coredns-{n}/coredns] [INFO] plugin/reload: Running"))
        }),
        Trap::file("100,000 names and answers", "q.log", "", || {
            lines(100_000, |n| {
                format!("[INFO] 10.0.0.1:5353 - {n} \"A IN n{n}.example. udp 40 false 512\" NOERROR{n} qr 40 0.0001s")
            })
        }),
        Trap::file("a kernel that kills a hundred thousand times", "dmesg.log", "more kernel lines", || {
            lines(100_000, |n| {
                format!("[{n}.0] Memory cgroup out of memory: Killed process {n} (coredns) total-vm:1kB, anon-rss:1kB")
            })
        }),
        Trap::file("40,000 events", "e.txt", "", || {
            let rows = lines(40_000, |n| {
                format!("kube-system   {n}s   Warning   Unhealthy   pod/coredns-{n}   Liveness probe failed: {n}")
            });
            [b"NAMESPACE     LAST SEEN   TYPE      REASON      OBJECT          MESSAGE\n".to_vec(), rows].concat()
        }),
        Trap::file("partial lines without an end", "0.log", "", move || {
            lines(50_000, |n| format!("{} stdout P {}", time(n), "x".repeat(100)))
        }),
        Trap::file("escapes that never end", "a.log", "", || {
            [b"[INFO] a\n\x1b]0;".to_vec(), vec![b'x'; 4 * MIB]].concat()
        }),
        Trap::file("lone carriage returns", "r.log", "", || b"[INFO] a\r".repeat(300_000)),
        Trap::file("UTF-16 of odd length and bad pairs", "w.txt", "", || {
            [&b"\xff\xfe"[..], &b"a\0\x00\xd8b\0".repeat(100_000)[..], &b"x"[..]].concat()
        }),
        Trap::file("docker's JSON with broken escapes", "d.log", "", || {
            b"{\"log\":\"\\ud800 \\u12 \\\",\"stream\":\"stdout\",\"time\":\"x\"}\n".repeat(50_000)
        }),
        Trap::file("dates that are none", "t.log", "", || {
            lines(10_000, |n| {
                format!("2026-13-{n}T25:61:61.{}Z [ERROR] plugin/errors: 2 a. A: i/o timeout", "9".repeat(40))
            })
        }),
    ]
}

fn others() -> Vec<Trap> {
    vec![
        Trap::file("30,000 prompts", "s.txt", "sections", || {
            lines(30_000, |n| format!("root@node:~# kubectl get pods -n {n}"))
        }),
        Trap::file("100,000 fences", "f.md", "", || lines(100_000, |_| "```".to_owned())),
        Trap::file("100,000 headings of tail", "h.txt", "", || lines(100_000, |n| format!("==> /var/log/{n}.log <=="))),
        Trap::file("300,000 series", "m.txt", "", || {
            [
                b"# TYPE coredns_dns_requests_total counter\n".to_vec(),
                lines(300_000, |n| format!("coredns_dns_requests_total{{zone=\"z{n}\"}} {n}e{n}")),
            ]
            .concat()
        }),
        Trap::file("a label that never closes", "l.prom", "", || {
            [b"# TYPE a counter\na{b=\"".to_vec(), vec![b'\\'; 2 * MIB]].concat()
        }),
        Trap::file("a million rules", "iptables-save.txt", "", || {
            [
                b"*nat\n:PREROUTING ACCEPT [0:0]\n".to_vec(),
                lines(300_000, |n| format!("-A KUBE-SERVICES -d 10.0.0.{}/32 -j KUBE-SVC-{n}", n % 256)),
            ]
            .concat()
        }),
        Trap::file("200,000 search domains", "resolv.conf", "", || {
            format!(
                "nameserver 10.96.0.10\nsearch {}\noptions ndots:99999999999999999999\n",
                "a.example ".repeat(200_000)
            )
            .into_bytes()
        }),
        Trap::file("markup and sequences of a terminal", "x.log", "", || {
            b"[ERROR] plugin/errors: 2 <script>alert(1)</script>.\x1b[2J\x1b[31m A: read udp 10.0.0.1:1->10.0.0.2:53: i/o timeout\n\
              [FATAL] plugin/loop: `|\x07\x08](javascript:alert(1)) <img src=x onerror=alert(1)> \xe2\x80\xae detected\n"
                .to_vec()
        }),
    ]
}

pub fn traps() -> Vec<Trap> {
    [objects(), logs(), others()].into_iter().flatten().collect()
}
