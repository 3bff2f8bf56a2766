package dev.reconstruct.counter;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts the records of a key. */
final class Count extends KeyedProcessFunction<Long, Tuple2<Long, Long>, Tuple2<Long, Long>> {
    private static final long serialVersionUID = 1L;

    private final Settings settings;
    private transient ValueState<Long> counts;
    private transient ValueState<String> texts;
    private transient long failAfter;
    private transient Path failWhile;

    Count(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void open(OpenContext context) {
        if (settings.text("crash", "").equals("open"))
            throw new IllegalStateException("this version does not open, as it was told");
        if (settings.text("state", "long").equals("text"))
            texts = getRuntimeContext().getState(new ValueStateDescriptor<>("counts", Types.STRING));
        else counts = getRuntimeContext().getState(new ValueStateDescriptor<>("counts", Types.LONG));
        failAfter = settings.number("fail-after", Long.MAX_VALUE);
        String file = settings.text("fail-while", "");
        failWhile = file.isEmpty() ? null : Path.of(file);
    }

    @Override
    public void processElement(Tuple2<Long, Long> record, Context context, Collector<Tuple2<Long, Long>> out)
            throws Exception {
        long count = read() + 1;
        if (count != record.f1)
            throw new IllegalStateException(
                    "key " + record.f0 + ": counted " + count + " records, and this is number " + record.f1);
        if (count >= failAfter) throw new IllegalStateException("fails at record " + count + ", as it was told");
        if (failWhile != null && Files.exists(failWhile))
            throw new IllegalStateException("fails while " + failWhile + " exists, as it was told");
        write(count);
        out.collect(Tuple2.of(record.f0, count));
    }

    private long read() throws Exception {
        if (texts != null) return texts.value() == null ? 0 : Long.parseLong(texts.value());
        return counts.value() == null ? 0 : counts.value();
    }

    private void write(long count) throws Exception {
        if (texts != null) texts.update(Long.toString(count));
        else counts.update(count);
    }
}
