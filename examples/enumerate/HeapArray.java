import shakedown.Choose;

/**
 * Heaps stored in an array: no element is larger than its parent. The array has a length of 0 to n, the heap takes its
 * first 0 to length slots, and the elements are from 0 to n.
 *
 * <p>Heaps for n = 6, 7, 8: 13139, 117562, 1005075. Eager choices explore 160132, 2739136, 54481005 paths.
 */
public final class HeapArray {
    int[] array;
    int size;

    public static void main(String[] args) {
        System.out.println(generate(args.length > 0 ? Integer.parseInt(args[0]) : 4));
    }

    static HeapArray generate(int n) {
        HeapArray heap = new HeapArray();
        heap.array = new int[Choose.getInt(0, n)];
        heap.size = Choose.getInt(0, heap.array.length);
        for (int i = 0; i < heap.size; i++) {
            heap.array[i] = Choose.getInt(0, n);
        }
        Choose.assume(heap.isHeap());
        return heap;
    }

    boolean isHeap() {
        for (int i = 1; i < size; i++) {
            if (array[i] > array[(i - 1) / 2]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < array.length; i++) {
            text.append(i == 0 ? "" : ", ").append(i < size ? String.valueOf(array[i]) : "_");
        }
        return text.append("]").toString();
    }
}
