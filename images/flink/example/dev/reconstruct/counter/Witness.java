package dev.reconstruct.counter;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Remembers what the job has written. `POST /commit` takes a transaction; `GET /facts` tells in JSON how many counts came,
 * how many of them twice, and how many are missing below the highest of their key. It forgets all when it ends.
 */
public final class Witness {
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> versions = new LinkedHashMap<>();
    /** Of each key: the last count of each stretch without a gap, by its first. */
    private final Map<Long, TreeMap<Long, Long>> counted = new TreeMap<>();
    private long written;
    private long duplicates;
    private long repeated;
    private long latest = System.nanoTime();
    private long longest;

    private Witness() {}

    public static void main(String[] args) throws IOException {
        Witness witness = new Witness();
        HttpServer server = HttpServer.create(new InetSocketAddress(args.length > 0 ? Integer.parseInt(args[0]) : 8080), 0);
        server.createContext("/commit", exchange -> {
            witness.commit(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, "");
        });
        server.createContext("/facts", exchange -> answer(exchange, witness.facts()));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop(0)));
        server.start();
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private synchronized void commit(String transaction) {
        String[] lines = transaction.split("\n");
        String[] head = lines[0].split(" ");
        if (!names.add(head[0])) {
            repeated++;
            return;
        }
        long now = System.nanoTime();
        if (names.size() > 1) longest = Math.max(longest, now - latest);
        latest = now;
        versions.merge(head[1], 1L, Long::sum);
        for (int at = 1; at < lines.length; at++) {
            String[] parts = lines[at].split(" ");
            add(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]));
        }
    }

    private void add(long key, long first, long last) {
        TreeMap<Long, Long> stretches = counted.computeIfAbsent(key, unused -> new TreeMap<>());
        written += last - first + 1;
        long from = first;
        long to = last;
        var before = stretches.floorEntry(last + 1);
        while (before != null && before.getValue() >= first - 1) {
            duplicates += Math.max(0, Math.min(last, before.getValue()) - Math.max(first, before.getKey()) + 1);
            from = Math.min(from, before.getKey());
            to = Math.max(to, before.getValue());
            stretches.remove(before.getKey());
            before = stretches.floorEntry(last + 1);
        }
        stretches.put(from, to);
    }

    private synchronized String facts() {
        long missing = 0;
        for (TreeMap<Long, Long> stretches : counted.values()) {
            missing += stretches.lastEntry().getValue();
            for (var stretch : stretches.entrySet()) missing -= stretch.getValue() - stretch.getKey() + 1;
        }
        StringBuilder told = new StringBuilder();
        versions.forEach((version, times) -> told.append(told.isEmpty() ? "" : ",")
                .append("\"" + version + "\":" + times));
        return String.format(
                "{\"written\":%d,\"duplicates\":%d,\"missing\":%d,\"keys\":%d,\"transactions\":%d,\"repeatedTransactions\":%d,"
                        + "\"silentMilliseconds\":%d,\"longestSilenceMilliseconds\":%d,\"transactionsByVersion\":{%s}}",
                written, duplicates, missing, counted.size(), names.size(), repeated,
                (System.nanoTime() - latest) / 1_000_000, longest / 1_000_000, told);
    }
}
