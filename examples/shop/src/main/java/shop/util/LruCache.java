package shop.util;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Keeps a limited number of entries, and forgets the one that was not used for the longest time. */
public final class LruCache<K, V> {
    private static final class Node<K, V> {
        final K key;
        V value;
        Node<K, V> newer;
        Node<K, V> older;

        Node(K key, V value) {
            this.key = key;
            this.value = value;
        }
    }

    private final int capacity;
    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    private Node<K, V> newest;
    private Node<K, V> oldest;
    private int misses;

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("no room: " + capacity);
        }
        this.capacity = capacity;
    }

    /** The value of a key, or null; a key that is found counts as used. */
    public V get(K key) {
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            misses++;
            return null;
        }
        unlink(node);
        link(node);
        return node.value;
    }

    public V get(K key, Function<? super K, ? extends V> loader) {
        V value = get(key);
        if (value == null) {
            value = loader.apply(key);
            put(key, value);
        }
        return value;
    }

    public void put(K key, V value) {
        Node<K, V> node = nodes.get(key);
        if (node != null) {
            node.value = value;
            unlink(node);
        } else {
            if (nodes.size() == capacity) {
                nodes.remove(oldest.key);
                unlink(oldest);
            }
            node = new Node<>(key, value);
            nodes.put(key, node);
        }
        link(node);
    }

    public int size() {
        return nodes.size();
    }

    public int misses() {
        return misses;
    }

    /** The keys, the one that was used last first. */
    public List<K> keys() {
        List<K> keys = new ArrayList<>();
        for (Node<K, V> node = newest; node != null; node = node.older) {
            keys.add(node.key);
        }
        return keys;
    }

    private void link(Node<K, V> node) {
        node.older = newest;
        node.newer = null;
        if (newest == null) {
            oldest = node;
        } else {
            newest.newer = node;
        }
        newest = node;
    }

    private void unlink(Node<K, V> node) {
        if (node.newer == null) {
            newest = node.older;
        } else {
            node.newer.older = node.older;
        }
        if (node.older == null) {
            oldest = node.newer;
        } else {
            node.older.newer = node.newer;
        }
    }
}
