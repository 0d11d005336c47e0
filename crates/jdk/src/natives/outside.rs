//! Network and processes: there are none, and every attempt fails the way it does on a machine without them.

use machine::{Args, Machine, Return, Value};

use super::{Entry, nothing, null, zero};

const NET: &str = "sun/nio/ch/Net";
const PROCESS: &str = "java/lang/ProcessHandleImpl";

pub(super) const TABLE: &[Entry] = &[
    ("java/net/InetAddress", "init", "()V", nothing),
    ("java/net/InetAddress", "isIPv4Available", "()Z", super::one),
    ("java/net/InetAddress", "isIPv6Supported", "()Z", zero),
    ("java/net/Inet4Address", "init", "()V", nothing),
    ("java/net/Inet6Address", "init", "()V", nothing),
    ("java/net/InetAddressImplFactory", "isIPv6Supported", "()Z", zero),
    ("java/net/Inet4AddressImpl", "getLocalHostName", "()Ljava/lang/String;", |m, _| {
        Ok(Value::reference(m.new_string("localhost")?))
    }),
    (
        "java/net/Inet4AddressImpl",
        "lookupAllHostAddr",
        "(Ljava/lang/String;)[Ljava/net/InetAddress;",
        look_up,
    ),
    ("java/net/Inet4AddressImpl", "getHostByAddr", "([B)Ljava/lang/String;", |m, _| {
        Err(m.raise("java/net/UnknownHostException", None))
    }),
    ("java/net/Inet4AddressImpl", "isReachable0", "([BI[BI)Z", zero),
    ("java/net/NetworkInterface", "init", "()V", nothing),
    ("java/net/NetworkInterface", "getAll", "()[Ljava/net/NetworkInterface;", null),
    ("java/net/NetworkInterface", "getByName0", "(Ljava/lang/String;)Ljava/net/NetworkInterface;", null),
    ("java/net/NetworkInterface", "getByIndex0", "(I)Ljava/net/NetworkInterface;", null),
    (NET, "isIPv6Available0", "()Z", zero),
    (NET, "isReusePortAvailable0", "()Z", zero),
    (NET, "isExclusiveBindAvailable", "()I", |_, _| Ok(Value::int(-1))),
    (NET, "shouldShutdownWriteBeforeClose0", "()Z", zero),
    (NET, "shouldSetBothIPv4AndIPv6Options0", "()Z", zero),
    (NET, "canIPv6SocketJoinIPv4Group0", "()Z", zero),
    (NET, "canJoin6WithIPv4Group0", "()Z", zero),
    (NET, "canUseIPv6OptionsWithIPv4LocalAddress0", "()Z", zero),
    (NET, "pollinValue", "()S", |_, _| Ok(Value::int(1))),
    (NET, "polloutValue", "()S", |_, _| Ok(Value::int(4))),
    (NET, "pollerrValue", "()S", |_, _| Ok(Value::int(8))),
    (NET, "pollhupValue", "()S", |_, _| Ok(Value::int(16))),
    (NET, "pollnvalValue", "()S", |_, _| Ok(Value::int(32))),
    (NET, "pollconnValue", "()S", |_, _| Ok(Value::int(4))),
    // A number no file has.
    (NET, "socket0", "(ZZZZ)I", |_, _| Ok(Value::int(i32::MAX))),
    (NET, "setIntOption0", "(Ljava/io/FileDescriptor;ZIIIZ)V", nothing),
    (NET, "getIntOption0", "(Ljava/io/FileDescriptor;ZII)I", zero),
    (NET, "connect0", "(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I", |m, _| {
        Err(m.raise("java/net/ConnectException", Some("Connection refused")))
    }),
    (NET, "bind0", "(Ljava/io/FileDescriptor;ZZLjava/net/InetAddress;I)V", |m, _| {
        Err(m.raise("java/net/BindException", Some("Permission denied")))
    }),
    ("jdk/net/LinuxSocketOptions", "quickAckSupported0", "()Z", zero),
    ("jdk/net/LinuxSocketOptions", "keepAliveOptionsSupported0", "()Z", zero),
    ("jdk/net/LinuxSocketOptions", "incomingNapiIdSupported0", "()Z", zero),
    ("sun/nio/ch/SocketDispatcher", "init", "()V", nothing),
    ("sun/nio/ch/UnixDomainSockets", "init", "()Z", zero),
    ("sun/net/PortConfig", "getLower0", "()I", |_, _| Ok(Value::int(32768))),
    ("sun/net/PortConfig", "getUpper0", "()I", |_, _| Ok(Value::int(60999))),
    ("sun/net/sdp/SdpSupport", "create0", "()I", |m, _| {
        Err(m.raise("java/io/IOException", Some("Protocol not supported")))
    }),
    (PROCESS, "getCurrentPid0", "()J", |_, _| Ok(Value::long(1))),
    (PROCESS, "isAlive0", "(J)J", |m, a| Ok(Value::long(if a.long(m, 0) == 1 { 0 } else { -1 }))),
    (PROCESS, "parent0", "(JJ)J", |_, _| Ok(Value::long(-1))),
    (PROCESS, "getProcessPids0", "(J[J[J[J)I", zero),
    (PROCESS, "destroy0", "(JJZ)Z", zero),
    ("java/lang/ProcessHandleImpl$Info", "initIDs", "()V", nothing),
    ("java/lang/ProcessHandleImpl$Info", "info0", "(J)V", nothing),
    ("java/lang/ProcessImpl", "init", "()V", nothing),
    ("java/lang/ProcessImpl", "forkAndExec", "(I[B[B[BI[BI[B[IZ)I", fork),
];

fn look_up(m: &mut Machine, a: Args) -> Return {
    let host = a.non_null(m, 1)?;
    let message = format!("{}: Name or service not known", m.string(host));
    Err(m.raise("java/net/UnknownHostException", Some(&message)))
}

fn fork(m: &mut Machine, _: Args) -> Return {
    let message = if m.program.path.jdk().feature() >= 23 {
        "Exec failed, error: 2 (No such file or directory) "
    } else {
        "error=2, No such file or directory"
    };
    Err(m.raise("java/io/IOException", Some(message)))
}
