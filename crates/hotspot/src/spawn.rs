//! One thread starts all processes, and lives as long as this process does.
//!
//! The kernel ends a child together with its parent if the child asks for it, and by parent it means the thread that
//! started it. So the thread must not go before the process does.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};

/// Processes that were started and not forgotten, for [`end_all`].
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

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
    let child = answer.recv().map_err(|_| io::Error::other("the thread that starts it is gone"))??;
    RUNNING.lock().unwrap_or_else(|e| e.into_inner()).push(child.id());
    Ok(child)
}

/// Somebody has waited for a process: its number means nothing any more.
pub fn forget(process: u32) {
    RUNNING.lock().unwrap_or_else(|e| e.into_inner()).retain(|running| *running != process);
}

/// Ends all processes that were started, with the groups they lead. For a process that is about to end.
pub fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(|e| e.into_inner());
    for process in running.iter() {
        #[cfg(unix)]
        // SAFETY: a system call without pointers; nobody has waited for the process yet.
        unsafe {
            libc::kill(-(*process as i32), libc::SIGKILL);
        }
        #[cfg(not(unix))]
        let _ = process;
    }
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
