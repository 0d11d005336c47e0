public class StringBuilding {
    public static void main(String[] args) {
        long h = 0;
        for (int r = 0; r < 40; r++) {
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 5000; i++) sb.append(i).append(',').append("item").append((char) ('a' + i % 26)).append(i * 0.5f > 100).append(';');
            String s = sb.toString();
            for (int i = 0; i < s.length(); i += 3) h = h * 31 + s.charAt(i);
            String[] parts = s.split(";");
            h += parts.length;
            for (int i = 0; i < parts.length; i += 10) h += parts[i].toUpperCase().indexOf("ITEM") + parts[i].substring(1).hashCode();
        }
        String acc = "";
        for (int i = 0; i < 2000; i++) acc = acc + i % 10;
        System.out.println(h + " " + acc.hashCode());
    }
}
