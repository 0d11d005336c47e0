/** A list whose nodes may be shared or cyclic. */
class Node {
    int value;
    Node next;

    int sum(int most) {
        int sum = 0;
        Node node = this;
        for (int i = 0; i < most && node != null; i++) {
            sum += node.value;
            node = node.next;
        }
        assert sum != 12 || most != 3 || next != this;
        return sum;
    }
}
