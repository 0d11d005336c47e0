//! seccomp: system calls that the worker's process does not need, and is refused.
//!
//! It is a list of what is forbidden: a list of what is allowed would have to know every JDK. What is on it either leaves
//! the process (sockets, signals, other processes), or changes what Landlock does not guard (permissions, times), or is
//! the business of an administrator.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

use super::Missing;

/// Refused whatever the arguments.
const FORBIDDEN: &[libc::c_long] = &[
    // Sockets. A pair of them, both ends of which are here, is allowed: selectors of old JDKs need it.
    libc::SYS_socket,
    // Other processes, and their memory.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_tkill,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_setpgid,
    libc::SYS_setsid,
    libc::SYS_execveat,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    // When and where they run: of one user, every process may decide that for all others.
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_process_mrelease,
    // Permissions, owners, times and attributes of files, which Landlock does not guard.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    GETXATTRAT,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    LISTXATTRAT,
    libc::SYS_mknodat,
    libc::SYS_truncate,
    // What happens in folders, which tells their names.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    // Calls that go round this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // What stays when the process is gone, and what others have left or share.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The system.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_personality,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
];

/// Calls newer than the constants of the C library's crate; numbers since 2024 are the same on all machines.
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const GETXATTRAT: libc::c_long = 464;
const LISTXATTRAT: libc::c_long = 465;
const REMOVEXATTRAT: libc::c_long = 466;
const OPEN_TREE_ATTR: libc::c_long = 467;
const FILE_SETATTR: libc::c_long = 469;

/// Older spellings that only some machines have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[libc::c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_mknod,
    libc::SYS_inotify_init,
    libc::SYS_uselib,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[libc::c_long] = &[];

/// Calls whose first argument is a process that must be this one.
const TO_ITSELF: [libc::c_long; 4] =
    [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo];
/// Stands for the number of the process, which is known only in it.
const ITSELF: u32 = 0x5EED_1DAD;

/// Commands for open files: who is told of them by a signal, leases, and attributes that a file opened for reading has.
const FILE_COMMANDS: [u64; 5] =
    [libc::F_SETOWN as u64, F_SETSIG, F_SETOWN_EX, libc::F_SETLEASE as u64, libc::F_NOTIFY as u64];
const F_SETSIG: u64 = 10;
const F_SETOWN_EX: u64 = 15;
const DEVICE_COMMANDS: [u64; 7] = [
    0x5412,      // TIOCSTI
    0x8901,      // FIOSETOWN
    0x8902,      // SIOCSPGRP
    0x4008_6602, // FS_IOC_SETFLAGS
    0x401C_5820, // FS_IOC_FSSETXATTR
    0x4080_6685, // FS_IOC_ENABLE_VERITY
    0x800C_6613, // FS_IOC_SET_ENCRYPTION_POLICY
];

/// Programs for the kernel, ready to be put in force.
pub struct Filter {
    refusing: BpfProgram,
    /// `clone3` hides its flags from filters: it is said not to be there, and C libraries fall back to `clone`.
    hiding: BpfProgram,
    /// The second calling convention of x86-64 has numbers of its own.
    other_numbers: BpfProgram,
}

pub fn check() -> Result<(), Missing> {
    // SAFETY: numbers only.
    match unsafe { libc::prctl(libc::PR_GET_SECCOMP, 0, 0, 0, 0) } {
        -1 => Err(Missing("this kernel has no seccomp".into())),
        _ => Ok(()),
    }
}

impl Filter {
    pub fn new() -> Result<Filter, Missing> {
        let failed = |e: &dyn std::fmt::Display| Missing(format!("seccomp: {e}"));
        let arch = std::env::consts::ARCH.try_into().map_err(|e| failed(&e))?;
        let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
            FORBIDDEN.iter().chain(OLDER).map(|call| (*call, Vec::new())).collect();
        use SeccompCmpArgLen::{Dword, Qword};
        use SeccompCmpOp::{Eq, MaskedEq, Ne};
        // A call is refused if all conditions of one of its rules hold.
        let rule = |conditions: &[(u8, SeccompCmpArgLen, SeccompCmpOp, u64)]| {
            let condition =
                |(argument, length, operator, value): &(u8, SeccompCmpArgLen, SeccompCmpOp, u64)| {
                    SeccompCondition::new(*argument, length.clone(), operator.clone(), *value)
                };
            let conditions = conditions.iter().map(condition).collect::<Result<_, _>>();
            conditions.and_then(SeccompRule::new).map_err(|e| failed(&e))
        };
        for call in TO_ITSELF {
            refused.insert(call, vec![rule(&[(0, Dword, Ne, u64::from(ITSELF))])?]);
        }
        // Limits of others; and the one on time, which is raised from outside.
        let time = u64::from(libc::RLIMIT_CPU);
        refused.insert(
            libc::SYS_prlimit64,
            vec![rule(&[(0, Dword, Ne, 0)])?, rule(&[(1, Dword, Eq, time), (2, Qword, Ne, 0)])?],
        );
        refused.insert(libc::SYS_setrlimit, vec![rule(&[(0, Dword, Eq, time)])?]);
        // It ends with its parent.
        let (end, kill) = (libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64);
        refused.insert(libc::SYS_prctl, vec![rule(&[(0, Dword, Eq, end), (1, Qword, Ne, kill)])?]);
        for (call, commands) in [(libc::SYS_fcntl, &FILE_COMMANDS[..]), (libc::SYS_ioctl, &DEVICE_COMMANDS)] {
            let rules = commands.iter().map(|command| rule(&[(1, Dword, Eq, *command)]));
            refused.insert(call, rules.collect::<Result<_, _>>()?);
        }
        // A new thread shares everything; whatever else it is, it is a process.
        let thread = libc::CLONE_THREAD as u64;
        refused.insert(libc::SYS_clone, vec![rule(&[(0, Qword, MaskedEq(thread), 0)])?]);
        let refuse = |rules, errno: i32| -> Result<BpfProgram, Missing> {
            let errno = SeccompAction::Errno(errno as u32);
            SeccompFilter::new(rules, SeccompAction::Allow, errno, arch)
                .and_then(BpfProgram::try_from)
                .map_err(|e| failed(&e))
        };
        Ok(Filter {
            refusing: refuse(refused, libc::EPERM)?,
            hiding: refuse([(libc::SYS_clone3, Vec::new())].into(), libc::ENOSYS)?,
            other_numbers: other_numbers(),
        })
    }

    /// System calls only.
    pub fn apply(&mut self) -> io::Result<()> {
        let own = std::process::id();
        for instruction in &mut self.refusing {
            if instruction.k == ITSELF {
                instruction.k = own;
            }
        }
        for program in [&self.other_numbers, &self.hiding, &self.refusing] {
            seccompiler::apply_filter(program).map_err(|error| match error {
                seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
                _ => io::ErrorKind::Other.into(),
            })?;
        }
        Ok(())
    }
}

/// Refuses numbers from 2^30 on; on most machines there are none.
fn other_numbers() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const FIRST: u32 = 0x4000_0000;
    let refuse = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
    vec![
        sock_filter { code: LOAD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: AT_LEAST, jt: 0, jf: 1, k: FIRST },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: refuse },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If another constant of the program had the value of the placeholder, or none had, signals would go astray.
    #[test]
    fn the_place_of_the_own_number_is_there_once_for_each_call() {
        let filter = Filter::new().unwrap();
        let places = filter.refusing.iter().filter(|instruction| instruction.k == ITSELF).count();
        assert_eq!(places, TO_ITSELF.len());
    }
}
