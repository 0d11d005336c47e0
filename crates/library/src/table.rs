//! The table itself: a row for each class. To add a collection is to add a row here.

use crate::{Class, InTests, Layout, Made, Nature, Place, Unknown};

/// Types that say little about their values: the classes an unknown one can have, plain ones first. These are no
/// containers, and each has an order of its own.
pub const OPEN: &[(&str, &[&str])] = &[
    ("java/lang/Object", &["java/lang/Object", "java/lang/String", "java/lang/Integer"]),
    ("java/lang/Comparable", &["java/lang/Integer", "java/lang/String"]),
    ("java/lang/CharSequence", &["java/lang/String"]),
    ("java/lang/Number", &["java/lang/Integer", "java/lang/Long", "java/lang/Double"]),
    (
        "java/lang/Throwable",
        &[
            "java/lang/Throwable",
            "java/lang/Exception",
            "java/lang/RuntimeException",
            "java/lang/IllegalArgumentException",
            "java/io/IOException",
            "java/lang/Error",
        ],
    ),
    (
        "java/lang/Exception",
        &[
            "java/lang/Exception",
            "java/lang/RuntimeException",
            "java/lang/IllegalArgumentException",
            "java/io/IOException",
        ],
    ),
    (
        "java/lang/RuntimeException",
        &[
            "java/lang/RuntimeException",
            "java/lang/IllegalArgumentException",
            "java/lang/IllegalStateException",
        ],
    ),
];

/// What a row says that does not say otherwise.
const ROW: Class = Class {
    name: "",
    nature: Nature::List,
    shown: None,
    unknown_for: &[],
    made_for: &[],
    place: Place::Any,
    unknown: Unknown::Never,
    layout: Layout::Fields,
    made: Made::New,
    in_tests: InTests::AsAnyOther,
};

/// A type that one class implements for unknown values and for tests alike has it in both lists.
const LISTS: &[&str] = &[
    "java/lang/Iterable",
    "java/util/Collection",
    "java/util/SequencedCollection",
    "java/util/List",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
];

const BUCKETS: Layout = Layout::Buckets { table: "table", next: "next" };

/// All classes, in the order of [`Nature`].
pub const TABLE: &[Class] = &[
    // Lists.
    Class {
        name: "java/util/ArrayList",
        unknown_for: LISTS,
        made_for: LISTS,
        unknown: Unknown::AnyLength,
        layout: Layout::Stretch { array: "elementData", size: "size" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/LinkedList",
        unknown_for: &["java/util/Queue", "java/util/Deque"],
        unknown: Unknown::ByAdding { most: 3 },
        layout: Layout::Chain { first: "first", item: "item", next: "next" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/Vector",
        unknown: Unknown::ByAdding { most: 3 },
        layout: Layout::Stretch { array: "elementData", size: "elementCount" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/Stack",
        unknown: Unknown::ByAdding { most: 3 },
        layout: Layout::Stretch { array: "elementData", size: "elementCount" },
        ..ROW
    },
    Class {
        name: "java/util/concurrent/CopyOnWriteArrayList",
        layout: Layout::Whole { array: "array" },
        ..ROW
    },
    Class {
        name: "java/util/Arrays$ArrayList",
        layout: Layout::Whole { array: "a" },
        made: Made::AsList,
        ..ROW
    },
    Class {
        name: "java/util/ImmutableCollections$List12",
        shown: Some("java/util/List"),
        layout: Layout::OneOrTwo { first: "e0", second: "e1" },
        made: Made::ListOf,
        ..ROW
    },
    Class {
        name: "java/util/ImmutableCollections$ListN",
        shown: Some("java/util/List"),
        layout: Layout::Whole { array: "elements" },
        made: Made::ListOf,
        ..ROW
    },
    Class {
        name: "java/util/Collections$EmptyList",
        layout: Layout::Empty,
        made: Made::Collections { method: "emptyList", gives: "java/util/List" },
        ..ROW
    },
    Class {
        name: "java/util/Collections$SingletonList",
        layout: Layout::One { field: "element" },
        made: Made::Collections { method: "singletonList", gives: "java/util/List" },
        ..ROW
    },
    // Sets.
    Class {
        name: "java/util/HashSet",
        nature: Nature::Set,
        unknown_for: &["java/util/Set", "java/util/AbstractSet"],
        place: Place::Hashed,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::KeysOf { map: "map" },
        in_tests: InTests::As("java/util/LinkedHashSet"),
        ..ROW
    },
    Class {
        name: "java/util/LinkedHashSet",
        nature: Nature::Set,
        unknown_for: &["java/util/SequencedSet"],
        made_for: &["java/util/Set", "java/util/AbstractSet", "java/util/SequencedSet"],
        place: Place::Hashed,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::KeysOf { map: "map" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/TreeSet",
        nature: Nature::Set,
        unknown_for: &["java/util/SortedSet", "java/util/NavigableSet"],
        made_for: &["java/util/SortedSet", "java/util/NavigableSet"],
        place: Place::Sorted,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::KeysOf { map: "m" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class { name: "java/util/RegularEnumSet", ..ENUM_SET },
    Class { name: "java/util/JumboEnumSet", ..ENUM_SET },
    Class {
        name: "java/util/ImmutableCollections$Set12",
        layout: Layout::OneOrTwo { first: "e0", second: "e1" },
        ..SET_OF
    },
    Class {
        name: "java/util/ImmutableCollections$SetN",
        layout: Layout::Sparse { array: "elements" },
        ..SET_OF
    },
    Class {
        name: "java/util/Collections$EmptySet",
        nature: Nature::Set,
        place: Place::Hashed,
        layout: Layout::Empty,
        made: Made::Collections { method: "emptySet", gives: "java/util/Set" },
        ..ROW
    },
    Class {
        name: "java/util/Collections$SingletonSet",
        nature: Nature::Set,
        place: Place::Hashed,
        layout: Layout::One { field: "element" },
        made: Made::Collections { method: "singleton", gives: "java/util/Set" },
        ..ROW
    },
    // Queues.
    Class {
        name: "java/util/ArrayDeque",
        nature: Nature::Queue,
        made_for: &["java/util/Queue", "java/util/Deque"],
        place: Place::NotNull,
        unknown: Unknown::ByAdding { most: 3 },
        layout: Layout::Ring { array: "elements", head: "head", tail: "tail" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/PriorityQueue",
        nature: Nature::Queue,
        place: Place::Sorted,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::Heap { array: "queue", size: "size" },
        in_tests: InTests::Itself,
        ..ROW
    },
    // Maps.
    Class {
        name: "java/util/HashMap",
        nature: Nature::Map,
        unknown_for: &["java/util/Map", "java/util/AbstractMap"],
        place: Place::Hashed,
        unknown: Unknown::ByAdding { most: 2 },
        layout: BUCKETS,
        in_tests: InTests::As("java/util/LinkedHashMap"),
        ..ROW
    },
    Class {
        name: "java/util/LinkedHashMap",
        nature: Nature::Map,
        unknown_for: &["java/util/SequencedMap"],
        made_for: &["java/util/Map", "java/util/AbstractMap", "java/util/SequencedMap"],
        place: Place::Hashed,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::Linked { first: "head", next: "after" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/TreeMap",
        nature: Nature::Map,
        unknown_for: &["java/util/SortedMap", "java/util/NavigableMap"],
        made_for: &["java/util/SortedMap", "java/util/NavigableMap"],
        place: Place::Sorted,
        unknown: Unknown::ByAdding { most: 2 },
        layout: Layout::Tree { root: "root", left: "left", right: "right" },
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/concurrent/ConcurrentHashMap",
        nature: Nature::Map,
        made_for: &["java/util/concurrent/ConcurrentMap"],
        place: Place::Hashed,
        layout: BUCKETS,
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/Hashtable",
        nature: Nature::Map,
        made_for: &["java/util/Dictionary"],
        place: Place::Hashed,
        layout: BUCKETS,
        in_tests: InTests::Itself,
        ..ROW
    },
    Class {
        name: "java/util/IdentityHashMap",
        nature: Nature::Map,
        place: Place::Hashed,
        layout: Layout::Alternating { table: "table" },
        ..ROW
    },
    Class {
        name: "java/util/EnumMap",
        nature: Nature::Map,
        place: Place::Constant,
        layout: Layout::ByConstant {
            of: "keyType",
            constants: "keyUniverse",
            values: "vals",
            null: "java/util/EnumMap$1",
        },
        made: Made::NewFor,
        ..ROW
    },
    Class {
        name: "java/util/ImmutableCollections$Map1",
        layout: Layout::Entry { key: "k0", value: "v0" },
        ..MAP_OF
    },
    Class {
        name: "java/util/ImmutableCollections$MapN",
        layout: Layout::Alternating { table: "table" },
        ..MAP_OF
    },
    Class {
        name: "java/util/Collections$EmptyMap",
        nature: Nature::Map,
        place: Place::Hashed,
        layout: Layout::Empty,
        made: Made::Collections { method: "emptyMap", gives: "java/util/Map" },
        ..ROW
    },
    Class {
        name: "java/util/Collections$SingletonMap",
        nature: Nature::Map,
        place: Place::Hashed,
        layout: Layout::Entry { key: "k", value: "v" },
        made: Made::Collections { method: "singletonMap", gives: "java/util/Map" },
        ..ROW
    },
    // Iterators.
    Class {
        name: "java/util/ArrayList$Itr",
        nature: Nature::Iterator,
        unknown_for: &["java/util/Iterator"],
        unknown: Unknown::Iterator,
        made: Made::Iterator,
        ..ROW
    },
    // One or none.
    Class {
        name: "java/util/Optional",
        nature: Nature::Optional,
        unknown: Unknown::OneOrNone,
        layout: Layout::OneOrNone { field: "value" },
        made: Made::OfOrEmpty,
        ..ROW
    },
    Class { name: "java/util/OptionalInt", ..OPTIONAL_NUMBER },
    Class { name: "java/util/OptionalLong", ..OPTIONAL_NUMBER },
    Class { name: "java/util/OptionalDouble", ..OPTIONAL_NUMBER },
    // Views.
    view("java/util/Collections$UnmodifiableCollection", "unmodifiableCollection", "java/util/Collection"),
    view("java/util/Collections$UnmodifiableList", "unmodifiableList", "java/util/List"),
    view("java/util/Collections$UnmodifiableRandomAccessList", "unmodifiableList", "java/util/List"),
    view("java/util/Collections$UnmodifiableSet", "unmodifiableSet", "java/util/Set"),
    view("java/util/Collections$UnmodifiableSortedSet", "unmodifiableSortedSet", "java/util/SortedSet"),
    view(
        "java/util/Collections$UnmodifiableNavigableSet",
        "unmodifiableNavigableSet",
        "java/util/NavigableSet",
    ),
    view(
        "java/util/Collections$UnmodifiableSequencedCollection",
        "unmodifiableSequencedCollection",
        "java/util/SequencedCollection",
    ),
    view(
        "java/util/Collections$UnmodifiableSequencedSet",
        "unmodifiableSequencedSet",
        "java/util/SequencedSet",
    ),
    map_view("java/util/Collections$UnmodifiableMap", "unmodifiableMap", "java/util/Map"),
    map_view("java/util/Collections$UnmodifiableSortedMap", "unmodifiableSortedMap", "java/util/SortedMap"),
    map_view(
        "java/util/Collections$UnmodifiableNavigableMap",
        "unmodifiableNavigableMap",
        "java/util/NavigableMap",
    ),
    map_view(
        "java/util/Collections$UnmodifiableSequencedMap",
        "unmodifiableSequencedMap",
        "java/util/SequencedMap",
    ),
    view("java/util/Collections$SynchronizedCollection", "synchronizedCollection", "java/util/Collection"),
    view("java/util/Collections$SynchronizedList", "synchronizedList", "java/util/List"),
    view("java/util/Collections$SynchronizedRandomAccessList", "synchronizedList", "java/util/List"),
    view("java/util/Collections$SynchronizedSet", "synchronizedSet", "java/util/Set"),
    view("java/util/Collections$SynchronizedSortedSet", "synchronizedSortedSet", "java/util/SortedSet"),
    view(
        "java/util/Collections$SynchronizedNavigableSet",
        "synchronizedNavigableSet",
        "java/util/NavigableSet",
    ),
    map_view("java/util/Collections$SynchronizedMap", "synchronizedMap", "java/util/Map"),
    map_view("java/util/Collections$SynchronizedSortedMap", "synchronizedSortedMap", "java/util/SortedMap"),
    map_view(
        "java/util/Collections$SynchronizedNavigableMap",
        "synchronizedNavigableMap",
        "java/util/NavigableMap",
    ),
    // Numbers.
    boxed("java/lang/Boolean"),
    boxed("java/lang/Byte"),
    boxed("java/lang/Character"),
    boxed("java/lang/Short"),
    boxed("java/lang/Integer"),
    boxed("java/lang/Long"),
    boxed("java/lang/Float"),
    boxed("java/lang/Double"),
    Class {
        name: "java/util/concurrent/atomic/AtomicInteger",
        unknown: Unknown::Number,
        layout: Layout::Number { field: "value" },
        ..ATOMIC
    },
    Class {
        name: "java/util/concurrent/atomic/AtomicLong",
        unknown: Unknown::Number,
        layout: Layout::Number { field: "value" },
        ..ATOMIC
    },
    Class {
        name: "java/util/concurrent/atomic/AtomicBoolean",
        unknown: Unknown::Truth,
        layout: Layout::Truth { field: "value" },
        ..ATOMIC
    },
    // What a text stands for.
    Class { name: "java/math/BigInteger", unknown: Unknown::Integer, layout: Layout::Digits, ..TEXT },
    Class { name: "java/math/BigDecimal", unknown: Unknown::Decimal, layout: Layout::ScaledDigits, ..TEXT },
    Class { name: "java/lang/StringBuilder", unknown: Unknown::Letters, layout: Layout::Letters, ..TEXT },
    Class { name: "java/lang/StringBuffer", unknown: Unknown::Letters, layout: Layout::Letters, ..TEXT },
    Class {
        name: "java/util/UUID",
        unknown: Unknown::Halves,
        layout: Layout::Halves,
        made: Made::FromString,
        ..TEXT
    },
    Class { name: "java/lang/Class", layout: Layout::Mirror, made: Made::Literal, ..TEXT },
    // Nothing but fields.
    Class {
        name: "java/util/AbstractMap$SimpleEntry",
        nature: Nature::Fields,
        unknown_for: &["java/util/Map$Entry"],
        unknown: Unknown::Entry,
        made: Made::Fields,
        ..ROW
    },
    Class {
        name: "java/util/concurrent/atomic/AtomicReference",
        nature: Nature::Fields,
        unknown: Unknown::Fields,
        made: Made::Fields,
        ..ROW
    },
    Class {
        name: "java/time/LocalDate",
        nature: Nature::Fields,
        unknown: Unknown::Date,
        made: Made::Fields,
        ..ROW
    },
];

const ENUM_SET: Class = Class {
    nature: Nature::Set,
    shown: Some("java/util/EnumSet"),
    place: Place::Constant,
    layout: Layout::Bits { of: "elementType", constants: "universe", bits: "elements" },
    made: Made::NoneOf,
    ..ROW
};

const SET_OF: Class = Class {
    nature: Nature::Set,
    shown: Some("java/util/Set"),
    place: Place::Hashed,
    made: Made::TableOf { method: "unmodifiableSet", of: "java/util/LinkedHashSet" },
    ..ROW
};

const MAP_OF: Class = Class {
    nature: Nature::Map,
    shown: Some("java/util/Map"),
    place: Place::Hashed,
    made: Made::TableOf { method: "unmodifiableMap", of: "java/util/LinkedHashMap" },
    ..ROW
};

const OPTIONAL_NUMBER: Class = Class {
    nature: Nature::Optional,
    layout: Layout::NumberOrNone { is_there: "isPresent", field: "value" },
    made: Made::OfOrEmpty,
    ..ROW
};

const ATOMIC: Class = Class { nature: Nature::Number, made: Made::NewNumber, ..ROW };

const TEXT: Class = Class { nature: Nature::Text, made: Made::NewText, ..ROW };

/// A view of a collection: its class, and the method of `Collections` that takes and gives a value of a type.
const fn view(name: &'static str, method: &'static str, gives: &'static str) -> Class {
    let layout = Layout::One { field: "c" };
    Class { name, nature: Nature::View, layout, made: Made::Collections { method, gives }, ..ROW }
}

/// The same of a map.
const fn map_view(name: &'static str, method: &'static str, gives: &'static str) -> Class {
    Class { layout: Layout::One { field: "m" }, ..view(name, method, gives) }
}

const fn boxed(name: &'static str) -> Class {
    Class {
        name,
        nature: Nature::Number,
        unknown: Unknown::Number,
        layout: Layout::Number { field: "value" },
        made: Made::ValueOf,
        ..ROW
    }
}
