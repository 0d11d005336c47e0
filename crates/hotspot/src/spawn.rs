//! One thread starts all processes, and lives as long as this process does.
//!
//! The kernel ends a child together with its parent if the child asks for it, and by parent it means the thread that
//! started it. So the thread must not go before the process does.

use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

type Job = (Command, Sender<io::Result<Child>>);

/// Starts a process that ends when this one does, however that may be.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    #[cfg(target_os = "linux")]
    end_with_parent(&mut command);
    static JOBS: OnceLock<Sender<Job>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (sender, jobs) = channel::<Job>();
        let work = move || {
            for (mut command, answer) in jobs {
                let _ = answer.send(command.spawn());
            }
        };
        // Without the thread the channel is closed, and that is noticed below.
        let _ = std::thread::Builder::new().name("processes".into()).spawn(work);
        sender
    });
    let (sender, answer) = channel();
    jobs.send((command, sender)).map_err(|_| io::Error::other("no thread to start it"))?;
    answer.recv().map_err(|_| io::Error::other("the thread that starts it is gone"))?
}

#[cfg(target_os = "linux")]
fn end_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let parent = std::process::id();
    let before_exec = move || {
        // SAFETY: system calls without pointers.
        unsafe {
            // Nothing that this process has open is for the child; what reports an error of `exec` stays open until then.
            libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // It may have gone before it was asked for.
            if libc::getppid() as u32 != parent {
                libc::_exit(1);
            }
        }
        Ok(())
    };
    // SAFETY: the closure makes system calls and nothing else.
    unsafe { command.pre_exec(before_exec) };
}
