package dev.reconstruct.counter;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Set;

/** What the job is told by `--name value`. */
final class Settings implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Set<String> KNOWN = Set.of(
            "sink", "rate", "keys", "records", "version", "fail-after", "fail-while", "crash", "state", "uid");

    private final HashMap<String, String> values = new HashMap<>();

    Settings(String[] args) {
        for (int at = 0; at < args.length; at += 2) {
            String name = args[at].replaceFirst("^--", "");
            if (!args[at].startsWith("--") || !KNOWN.contains(name))
                throw new IllegalArgumentException("unknown argument " + args[at] + ": must be one of " + KNOWN);
            if (at + 1 == args.length) throw new IllegalArgumentException(args[at] + " must have a value");
            values.put(name, args[at + 1]);
        }
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    long number(String name, long otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Long.parseLong(value);
    }
}
