//! Tests of `monitor`: what a monitor refuses to be built from.

use groundwire_core::monitor::{Monitor, Settings};
use groundwire_core::policy::Policy;
use groundwire_core::profile::Profile;

fn refused(settings: Settings) -> String {
    Monitor::builder()
        .settings(settings)
        .build()
        .unwrap_err()
        .message()
        .to_owned()
}

#[test]
fn settings_are_checked() {
    let base = Settings::default;
    assert!(
        refused(Settings {
            max_retained: 10,
            ..base()
        })
        .contains("max_retained")
    );
    assert!(
        refused(Settings {
            group_window: 0,
            ..base()
        })
        .contains("window")
    );
    assert!(
        refused(Settings {
            budget_target: 1.5,
            ..base()
        })
        .contains("budget_target")
    );
    assert!(
        refused(Settings {
            support_threshold: f64::NAN,
            ..base()
        })
        .contains("support")
    );
    assert!(
        refused(Settings {
            budget_eps: 0.0,
            ..base()
        })
        .contains("budget_eps")
    );
}

#[test]
fn profiles_are_checked() {
    let build = |profiles| Monitor::builder().profiles(profiles).build();
    assert!(build(vec![]).is_err());
    let twice = build(vec![Profile::stream(), Profile::stream()]).unwrap_err();
    assert!(twice.message().contains("twice"), "{twice}");
    let policy = Policy {
        max_hold_tokens: 0,
        ..Policy::default()
    };
    assert!(Monitor::builder().policy(policy).build().is_err());
}

#[test]
fn a_monitor_is_shared_by_threads() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Monitor>();
    let monitor = Monitor::builder().build().unwrap();
    assert!(monitor.judges("stream") && monitor.judges("dialogue") && !monitor.judges("budget"));
}
