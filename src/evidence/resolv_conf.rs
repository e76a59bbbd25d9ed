//! resolv.conf, of a node or of a pod.

use super::facts::{Fact, ResolvConf};
use super::redaction;
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Seen;
use crate::text::Section;

/// Reads one file. A comment starts with `#` or `;` in the first column; the last `search` line counts.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, _: &mut Vec<Problem>) {
    let mut conf = ResolvConf {
        path: section.text.path().clone(),
        of_pod: false,
        nameservers: Vec::new(),
        search: None,
        options: None,
    };
    for (number, line) in section.numbered() {
        let mut words = line.split_whitespace();
        let rest = |words: std::str::SplitWhitespace| words.map(str::to_owned).collect::<Vec<_>>();
        match words.next() {
            Some("nameserver") => {
                let server = words.next().filter(|server| !redaction::is_mark(server));
                let server = server.map(|server| Seen::new(server.to_owned(), section.quote(number)));
                conf.nameservers.extend(server);
            }
            Some("search" | "domain") => conf.search = Some(Seen::new(rest(words), section.quote(number))),
            Some("options") => conf.options = Some(Seen::new(rest(words), section.quote(number))),
            _ => {}
        }
    }
    conf.of_pod = is_of_pod(&conf);
    if !conf.nameservers.is_empty() || conf.search.is_some() {
        facts.push(Fact::ResolvConf(Box::new(conf)));
    }
}

/// The kubelet writes `NS.svc.DOMAIN svc.DOMAIN DOMAIN` and `ndots:5` for pods that use the cluster's DNS.
fn is_of_pod(conf: &ResolvConf) -> bool {
    let searched = conf.search.iter().flat_map(|seen| &seen.value).any(|domain| domain.starts_with("svc."));
    let ndots = conf.options.iter().flat_map(|seen| &seen.value).any(|option| option == "ndots:5");
    searched || ndots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn conf(body: &str) -> Option<ResolvConf> {
        let section = Section::whole(std::sync::Arc::new(Text::new("resolv.conf", body.into())));
        let (mut facts, mut problems) = (Vec::new(), Vec::new());
        read(&section, &Hints::default(), &mut facts, &mut problems);
        facts.into_iter().next().map(|fact| match fact {
            Fact::ResolvConf(conf) => *conf,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn a_pods_file_is_told_from_a_nodes() {
        let pod = conf(
            "search a.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n",
        );
        assert!(pod.is_some_and(|conf| conf.of_pod && conf.nameservers.len() == 1));
        let node = conf("# comment\nnameserver 127.0.0.53\nsearch lab.example\n").unwrap();
        assert!(!node.of_pod);
        assert_eq!(node.nameservers[0].quote.source.line, 2);
        assert!(conf("nothing here\n").is_none());
    }
}
