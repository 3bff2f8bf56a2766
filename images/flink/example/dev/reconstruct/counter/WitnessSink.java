package dev.reconstruct.counter;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Tells the Witness in two phases: what was counted up to a checkpoint is told when the checkpoint is complete, under a name
 * that the checkpoint keeps. The Witness knows a repeated name, so exactly-once holds if state is never taken back.
 */
final class WitnessSink implements Sink<Tuple2<Long, Long>>, SupportsCommitter<String> {
    private static final long serialVersionUID = 1L;

    private final String address;
    private final String version;

    WitnessSink(String address, String version) {
        this.address = address;
        this.version = version;
    }

    @Override
    public Writer createWriter(WriterInitContext context) {
        return new Writer(version);
    }

    @Override
    public Committer<String> createCommitter(CommitterInitContext context) {
        return address.isEmpty() ? new Nobody() : new Caller(address);
    }

    @Override
    public SimpleVersionedSerializer<String> getCommittableSerializer() {
        return new Text();
    }

    /** Gathers counts as `key first last` lines below the name of the transaction and the version. */
    static final class Writer implements CommittingSinkWriter<Tuple2<Long, Long>, String> {
        private final String version;
        private final Map<Long, long[]> counts = new TreeMap<>();

        Writer(String version) {
            this.version = version;
        }

        @Override
        public void write(Tuple2<Long, Long> record, Context context) {
            long[] range = counts.get(record.f0);
            if (range == null) counts.put(record.f0, new long[] {record.f1, record.f1});
            else if (record.f1 == range[1] + 1) range[1] = record.f1;
            else throw new IllegalStateException("key " + record.f0 + ": " + record.f1 + " follows " + range[1]);
        }

        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public Collection<String> prepareCommit() {
            if (counts.isEmpty()) return List.of();
            List<String> lines = new ArrayList<>(List.of(UUID.randomUUID() + " " + version));
            counts.forEach((key, range) -> lines.add(key + " " + range[0] + " " + range[1]));
            counts.clear();
            return List.of(String.join("\n", lines));
        }

        @Override
        public void close() {}
    }

    /** Sends transactions, each until the Witness has it. */
    static final class Caller implements Committer<String> {
        private final HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        private final URI uri;

        Caller(String address) {
            uri = URI.create(address + "/commit");
        }

        @Override
        public void commit(Collection<CommitRequest<String>> requests) throws IOException, InterruptedException {
            for (CommitRequest<String> request : requests) {
                HttpRequest call = HttpRequest.newBuilder(uri)
                        .timeout(Duration.ofSeconds(10))
                        .POST(HttpRequest.BodyPublishers.ofString(request.getCommittable()))
                        .build();
                try {
                    int status = client.send(call, BodyHandlers.discarding()).statusCode();
                    if (status != 200) throw new IOException("the witness answered " + status);
                } catch (IOException error) {
                    request.retryLater();
                }
            }
        }

        @Override
        public void close() {}
    }

    /** For a job without a Witness. */
    static final class Nobody implements Committer<String> {
        @Override
        public void commit(Collection<CommitRequest<String>> requests) {}

        @Override
        public void close() {}
    }

    static final class Text implements SimpleVersionedSerializer<String> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(String text) {
            return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }

        @Override
        public String deserialize(int version, byte[] bytes) {
            return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
        }
    }
}
