//! A kubelet's settings for DNS from its command line.

use super::facts::{Fact, KubeletConfig};
use crate::problem::Problem;
use crate::recognize::Hints;
use crate::source::Seen;
use crate::text::Section;

/// Reads `--cluster-dns=…`, `--cluster-domain=…` and `--resolv-conf=…` wherever a kubelet's flags stand.
pub fn read(section: &Section, _: &Hints, facts: &mut Vec<Fact>, _: &mut Vec<Problem>) {
    let mut config = KubeletConfig { path: Some(section.text.path().clone()), ..KubeletConfig::default() };
    for (number, line) in
        section.numbered().filter(|(_, line)| line.contains("--cluster-d") || line.contains("--resolv-conf"))
    {
        let value = |flag: &str| {
            let behind = line.split_once(flag)?.1.trim_start_matches(['=', ' ', '"']);
            let value = behind.split([' ', '"', '\'', ',']).next().filter(|value| !value.is_empty())?;
            Some(Seen::new(value.to_owned(), section.quote(number)))
        };
        config.cluster_dns.extend(value("--cluster-dns"));
        config.cluster_domain = config.cluster_domain.or_else(|| value("--cluster-domain"));
        config.resolv_conf = config.resolv_conf.or_else(|| value("--resolv-conf"));
    }
    if !config.cluster_dns.is_empty() || config.cluster_domain.is_some() || config.resolv_conf.is_some() {
        facts.push(Fact::Kubelet(Box::new(config)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn flags_in_one_line() {
        let line = "/usr/bin/kubelet --cluster-dns=10.96.0.10 --cluster-domain cluster.local --resolv-conf=/run/x\n";
        let section = Section::whole(std::sync::Arc::new(Text::new("ps.txt", line.into())));
        let (mut facts, mut problems) = (Vec::new(), Vec::new());
        read(&section, &Hints::default(), &mut facts, &mut problems);
        let Fact::Kubelet(config) = &facts[0] else { panic!() };
        assert_eq!(config.cluster_dns[0].value, "10.96.0.10");
        assert_eq!(config.cluster_domain.as_ref().unwrap().value, "cluster.local");
        assert_eq!(config.resolv_conf.as_ref().unwrap().value, "/run/x");
    }
}
