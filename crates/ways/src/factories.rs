//! How a programmer makes objects of the library that are no collections: a table of constructors, factories and constants.

use crate::member::Member;
use crate::objects::Way;

/// One way, by names.
enum Row {
    /// Class and descriptor of a constructor.
    New(&'static str, &'static str),
    /// Class, name and descriptor of a static method.
    Static(&'static str, &'static str, &'static str),
    /// The same with the text it is given.
    Fixed(&'static str, &'static str, &'static str, &'static str),
    /// Class, name and descriptor of a static field.
    Constant(&'static str, &'static str, &'static str),
    /// Class of an object, and name and descriptor of the method that is called on it.
    On(&'static str, &'static str, &'static str),
    /// A class, name and descriptor of the method by which it is asked for a member, and the name of the member.
    Reflected(&'static str, &'static str, &'static str, Option<&'static str>),
}

use Row::{Constant, Fixed, New, On, Reflected, Static};

const TEXT: &str = "(Ljava/lang/String;)V";

const GIVES_METHOD: &str = "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";
const GIVES_CONSTRUCTOR: &str = "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;";
const GIVES_FIELD: &str = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
const LENGTH: Row = Reflected("java/lang/String", "getMethod", GIVES_METHOD, Some("length"));

const TABLE: &[(&str, &[Row])] = &[
    ("java/util/Random", &[New("java/util/Random", "(J)V")]),
    ("java/lang/StringBuilder", &[New("java/lang/StringBuilder", TEXT)]),
    ("java/lang/StringBuffer", &[New("java/lang/StringBuffer", TEXT)]),
    ("java/lang/Appendable", &[New("java/lang/StringBuilder", TEXT)]),
    ("java/math/BigInteger", &[Static("java/math/BigInteger", "valueOf", "(J)Ljava/math/BigInteger;")]),
    (
        "java/math/BigDecimal",
        &[
            Static("java/math/BigDecimal", "valueOf", "(J)Ljava/math/BigDecimal;"),
            Static("java/math/BigDecimal", "valueOf", "(JI)Ljava/math/BigDecimal;"),
        ],
    ),
    ("java/math/MathContext", &[Constant("java/math/MathContext", "DECIMAL32", "Ljava/math/MathContext;")]),
    ("java/time/LocalDate", &[Static("java/time/LocalDate", "of", "(III)Ljava/time/LocalDate;")]),
    ("java/time/LocalTime", &[Static("java/time/LocalTime", "of", "(II)Ljava/time/LocalTime;")]),
    (
        "java/time/LocalDateTime",
        &[Static("java/time/LocalDateTime", "of", "(IIIII)Ljava/time/LocalDateTime;")],
    ),
    (
        "java/time/ZonedDateTime",
        &[Static(
            "java/time/ZonedDateTime",
            "of",
            "(Ljava/time/LocalDateTime;Ljava/time/ZoneId;)Ljava/time/ZonedDateTime;",
        )],
    ),
    ("java/time/Instant", &[Static("java/time/Instant", "ofEpochSecond", "(J)Ljava/time/Instant;")]),
    ("java/time/Duration", &[Static("java/time/Duration", "ofSeconds", "(J)Ljava/time/Duration;")]),
    ("java/time/Period", &[Static("java/time/Period", "ofDays", "(I)Ljava/time/Period;")]),
    ("java/time/Year", &[Static("java/time/Year", "of", "(I)Ljava/time/Year;")]),
    ("java/time/YearMonth", &[Static("java/time/YearMonth", "of", "(II)Ljava/time/YearMonth;")]),
    ("java/time/ZoneId", &[Constant("java/time/ZoneOffset", "UTC", "Ljava/time/ZoneOffset;")]),
    ("java/time/ZoneOffset", &[Constant("java/time/ZoneOffset", "UTC", "Ljava/time/ZoneOffset;")]),
    (
        "java/time/Clock",
        &[Static("java/time/Clock", "fixed", "(Ljava/time/Instant;Ljava/time/ZoneId;)Ljava/time/Clock;")],
    ),
    (
        "java/util/Locale",
        &[
            Constant("java/util/Locale", "ENGLISH", "Ljava/util/Locale;"),
            Constant("java/util/Locale", "GERMANY", "Ljava/util/Locale;"),
            Constant("java/util/Locale", "ROOT", "Ljava/util/Locale;"),
        ],
    ),
    ("java/util/UUID", &[New("java/util/UUID", "(JJ)V")]),
    (
        "java/util/Optional",
        &[Static("java/util/Optional", "ofNullable", "(Ljava/lang/Object;)Ljava/util/Optional;")],
    ),
    (
        "java/util/OptionalInt",
        &[
            Static("java/util/OptionalInt", "of", "(I)Ljava/util/OptionalInt;"),
            Static("java/util/OptionalInt", "empty", "()Ljava/util/OptionalInt;"),
        ],
    ),
    ("java/util/BitSet", &[New("java/util/BitSet", "()V")]),
    ("java/util/Iterator", &[On("java/util/List", "iterator", "()Ljava/util/Iterator;")]),
    ("java/util/ListIterator", &[On("java/util/List", "listIterator", "()Ljava/util/ListIterator;")]),
    (
        "java/util/Enumeration",
        &[Static("java/util/Collections", "enumeration", "(Ljava/util/Collection;)Ljava/util/Enumeration;")],
    ),
    ("java/util/stream/Stream", &[On("java/util/Collection", "stream", "()Ljava/util/stream/Stream;")]),
    (
        "java/util/stream/IntStream",
        &[Static("java/util/stream/IntStream", "of", "([I)Ljava/util/stream/IntStream;")],
    ),
    (
        "java/util/Map$Entry",
        &[New("java/util/AbstractMap$SimpleEntry", "(Ljava/lang/Object;Ljava/lang/Object;)V")],
    ),
    ("java/util/Comparator", &[Static("java/util/Comparator", "naturalOrder", "()Ljava/util/Comparator;")]),
    ("java/util/Date", &[New("java/util/Date", "(J)V")]),
    ("java/util/Calendar", &[New("java/util/GregorianCalendar", "(III)V")]),
    ("java/util/GregorianCalendar", &[New("java/util/GregorianCalendar", "(III)V")]),
    (
        "java/util/TimeZone",
        &[Fixed("java/util/TimeZone", "getTimeZone", "(Ljava/lang/String;)Ljava/util/TimeZone;", "UTC")],
    ),
    (
        "java/util/Currency",
        &[Fixed("java/util/Currency", "getInstance", "(Ljava/lang/String;)Ljava/util/Currency;", "EUR")],
    ),
    ("java/util/Properties", &[New("java/util/Properties", "()V")]),
    ("java/util/StringJoiner", &[New("java/util/StringJoiner", "(Ljava/lang/CharSequence;)V")]),
    ("java/util/StringTokenizer", &[New("java/util/StringTokenizer", TEXT)]),
    ("java/util/Scanner", &[New("java/util/Scanner", TEXT)]),
    (
        "java/util/regex/Pattern",
        &[Fixed(
            "java/util/regex/Pattern",
            "compile",
            "(Ljava/lang/String;)Ljava/util/regex/Pattern;",
            "[a-z]+",
        )],
    ),
    (
        "java/util/regex/Matcher",
        &[On("java/util/regex/Pattern", "matcher", "(Ljava/lang/CharSequence;)Ljava/util/regex/Matcher;")],
    ),
    ("java/io/Reader", &[New("java/io/StringReader", TEXT)]),
    ("java/io/StringReader", &[New("java/io/StringReader", TEXT)]),
    ("java/lang/Readable", &[New("java/io/StringReader", TEXT)]),
    ("java/io/BufferedReader", &[New("java/io/BufferedReader", "(Ljava/io/Reader;)V")]),
    ("java/io/Writer", &[New("java/io/StringWriter", "()V")]),
    ("java/io/StringWriter", &[New("java/io/StringWriter", "()V")]),
    ("java/io/PrintWriter", &[New("java/io/PrintWriter", "(Ljava/io/Writer;)V")]),
    ("java/io/PrintStream", &[New("java/io/PrintStream", "(Ljava/io/OutputStream;)V")]),
    ("java/io/InputStream", &[New("java/io/ByteArrayInputStream", "([B)V")]),
    ("java/io/ByteArrayInputStream", &[New("java/io/ByteArrayInputStream", "([B)V")]),
    ("java/io/OutputStream", &[New("java/io/ByteArrayOutputStream", "()V")]),
    ("java/io/ByteArrayOutputStream", &[New("java/io/ByteArrayOutputStream", "()V")]),
    ("java/nio/ByteBuffer", &[Static("java/nio/ByteBuffer", "wrap", "([B)Ljava/nio/ByteBuffer;")]),
    (
        "java/nio/CharBuffer",
        &[Static("java/nio/CharBuffer", "wrap", "(Ljava/lang/CharSequence;)Ljava/nio/CharBuffer;")],
    ),
    (
        "java/nio/charset/Charset",
        &[
            Constant("java/nio/charset/StandardCharsets", "UTF_8", "Ljava/nio/charset/Charset;"),
            Constant("java/nio/charset/StandardCharsets", "US_ASCII", "Ljava/nio/charset/Charset;"),
        ],
    ),
    (
        "java/net/URI",
        &[Fixed("java/net/URI", "create", "(Ljava/lang/String;)Ljava/net/URI;", "http://example.org/")],
    ),
    ("java/text/DecimalFormat", &[Fixed("java/text/DecimalFormat", "<init>", TEXT, "0.00")]),
    ("java/text/NumberFormat", &[Fixed("java/text/DecimalFormat", "<init>", TEXT, "0.00")]),
    ("java/text/ParsePosition", &[New("java/text/ParsePosition", "(I)V")]),
    ("java/text/FieldPosition", &[New("java/text/FieldPosition", "(I)V")]),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        &[New("java/util/concurrent/atomic/AtomicInteger", "(I)V")],
    ),
    ("java/util/concurrent/atomic/AtomicLong", &[New("java/util/concurrent/atomic/AtomicLong", "(J)V")]),
    (
        "java/util/concurrent/atomic/AtomicBoolean",
        &[New("java/util/concurrent/atomic/AtomicBoolean", "(Z)V")],
    ),
    (
        "java/util/concurrent/atomic/AtomicReference",
        &[New("java/util/concurrent/atomic/AtomicReference", "(Ljava/lang/Object;)V")],
    ),
    (
        "java/util/concurrent/Future",
        &[Static(
            "java/util/concurrent/CompletableFuture",
            "completedFuture",
            "(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;",
        )],
    ),
    (
        "java/util/concurrent/CompletableFuture",
        &[Static(
            "java/util/concurrent/CompletableFuture",
            "completedFuture",
            "(Ljava/lang/Object;)Ljava/util/concurrent/CompletableFuture;",
        )],
    ),
    ("java/util/EnumMap", &[New("java/util/EnumMap", "(Ljava/lang/Class;)V")]),
    ("java/util/EnumSet", &[Static("java/util/EnumSet", "noneOf", "(Ljava/lang/Class;)Ljava/util/EnumSet;")]),
    ("java/lang/Throwable", &[New("java/lang/RuntimeException", TEXT)]),
    ("java/lang/Exception", &[New("java/lang/Exception", TEXT)]),
    ("java/lang/RuntimeException", &[New("java/lang/RuntimeException", TEXT)]),
    ("java/lang/IllegalArgumentException", &[New("java/lang/IllegalArgumentException", TEXT)]),
    ("java/lang/Error", &[New("java/lang/Error", TEXT)]),
    ("java/io/IOException", &[New("java/io/IOException", TEXT)]),
    ("java/lang/reflect/Method", &[LENGTH]),
    ("java/lang/reflect/Executable", &[LENGTH]),
    ("java/lang/reflect/Member", &[LENGTH]),
    ("java/lang/reflect/AnnotatedElement", &[LENGTH]),
    (
        "java/lang/reflect/Constructor",
        &[Reflected("java/lang/String", "getConstructor", GIVES_CONSTRUCTOR, None)],
    ),
    (
        "java/lang/reflect/Field",
        &[Reflected("java/lang/Integer", "getField", GIVES_FIELD, Some("MAX_VALUE"))],
    ),
    (
        "java/lang/StackTraceElement",
        &[New("java/lang/StackTraceElement", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;I)V")],
    ),
];

/// The ways of the table to make an object of a class.
pub fn ways(class: &str) -> Vec<Way> {
    let Some((_, rows)) = TABLE.iter().find(|row| row.0 == class) else { return Vec::new() };
    rows.iter().map(way).collect()
}

fn way(row: &Row) -> Way {
    let member = |class: &str, name: &str, descriptor: &str, is_static: bool| Member {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
        is_static,
    };
    match row {
        New(class, descriptor) => Way::Call(member(class, "<init>", descriptor, false)),
        Static(class, name, descriptor) => Way::Call(member(class, name, descriptor, true)),
        Fixed(class, name, descriptor, text) => {
            Way::Fixed(member(class, name, descriptor, *name != "<init>"), text)
        }
        Constant(class, name, descriptor) => Way::Constant(member(class, name, descriptor, true)),
        On(class, name, descriptor) => Way::On(member(class, name, descriptor, false)),
        Reflected(of, name, descriptor, asked) => {
            Way::Reflected(of, member("java/lang/Class", name, descriptor, false), *asked)
        }
    }
}
