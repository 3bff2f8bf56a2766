package dev.reconstruct.counter;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Counts records per key, and fails if a count is not that of the record. The records of a key are numbered from 1, so a
 * record that is lost or comes twice before the state shows at once; a result that is written twice shows in the Witness.
 *
 * <pre>
 * --sink URL          address of the Witness; without it nothing is written
 * --rate N            records a second (100)
 * --keys N            keys (10)
 * --records N         ends after so many (never)
 * --version TEXT      part of the job's name, and of what the Witness is told (1)
 * --fail-after N      fails at record N, each time
 * --fail-while FILE   fails while the file exists on the TaskManager
 * --crash main|open   fails before the job is there, or when its tasks start
 * --state long|text   how counts are kept; text cannot read what long has written (long)
 * --uid NAME          of the counting operator; another one does not find its state (count)
 * </pre>
 */
public final class Counter {
    private Counter() {}

    public static void main(String[] args) throws Exception {
        Settings settings = new Settings(args);
        String version = settings.text("version", "1");
        if (settings.text("crash", "").equals("main"))
            throw new IllegalStateException("version " + version + " does not start, as it was told");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        long keys = settings.number("keys", 10);
        DataGeneratorSource<Tuple2<Long, Long>> source = new DataGeneratorSource<>(
                number -> Tuple2.of(number % keys, number / keys + 1),
                settings.number("records", Long.MAX_VALUE),
                RateLimiterStrategy.perSecond(settings.number("rate", 100)),
                Types.TUPLE(Types.LONG, Types.LONG));
        var counted = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                // The records of a key stay in order only if one reader makes them.
                .setParallelism(1)
                .setMaxParallelism(1)
                .keyBy(record -> record.f0)
                .process(new Count(settings))
                .uid(settings.text("uid", "count"))
                .name("count")
                .returns(Types.TUPLE(Types.LONG, Types.LONG));
        counted.sinkTo(new WitnessSink(settings.text("sink", ""), version)).uid("witness").name("witness");
        environment.execute("counter " + version);
    }
}
