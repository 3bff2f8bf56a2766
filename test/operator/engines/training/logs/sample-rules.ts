import type { TrainingJobSpecHealthLogRulesInput } from '../../../../../imports/index.js';

/** What a rule finds in a log: `+120` lets so many seconds pass, anything else is a line. */
export interface SampleHistory {
  readonly when: string;
  readonly log: readonly string[];
  readonly found: string | undefined;
}

interface Sample {
  readonly rule: TrainingJobSpecHealthLogRulesInput;
  readonly histories: readonly SampleHistory[];
}

const epoch = '[default0]:2025-06-17 05:51:29,300 [INFO] __main__: Train Epoch: 5 [0/60000 (0%)]       loss=0.8470';
const batch = (loss: string) => `[Epoch 0 Batch 12] {'training_loss_step': ${loss}, 'samples/sec': 91.5}`;
const speed = (samples: number) => `[Epoch 0 Batch 12] {'samples/sec': ${samples}}`;
const times = (count: number, line: string) => Array.from({ length: count }, () => line);
const tflops = (count: number, value: number) => times(count, `Training model, speed: ${value} TFLOPs...`);

/**
 * The sample rules of HyperPod, unchanged, and what its documentation says that they find.
 * @see https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-eks-operator-usage.html
 */
export const samples: readonly Sample[] = [
  {
    rule: { name: 'JobStart', logPattern: '.*Experiment configuration.*', expectedStartCutOffInSeconds: 120 },
    histories: [
      { when: 'the line is there in time', log: ['+119', 'Experiment configuration: x', '+9999'], found: undefined },
      { when: 'the line is not there in time', log: ['other', '+121'], found: 'LogHanging' },
    ],
  },
  {
    rule: {
      name: 'JobHangingDetection',
      logPattern: ".*\\[Epoch 0 Batch \\d+.*'training_loss_step': (\\d+(\\.\\d+)?).*",
      expectedRecurringFrequencyInSeconds: 300,
      expectedStartCutOffInSeconds: 600,
    },
    histories: [
      { when: 'the first batch takes long', log: ['+599', batch('0.5'), '+299', batch('0.4')], found: undefined },
      { when: 'no batch comes', log: ['+601'], found: 'LogHanging' },
      { when: 'the next batch does not come', log: [batch('0.5'), '+301'], found: 'LogHanging' },
      {
        when: 'the loss is no number any more',
        log: [batch('0.5'), '+100', batch('nan'), '+100', batch('nan'), '+101', batch('nan')],
        found: 'LogHanging',
      },
    ],
  },
  {
    rule: {
      name: 'NoS3CheckpointingDetection',
      logPattern: '.*The checkpoint is finalized. All shards is written.*',
      expectedRecurringFrequencyInSeconds: 600,
      expectedStartCutOffInSeconds: 1800,
    },
    histories: [
      { when: 'no first checkpoint comes', log: ['+1801'], found: 'LogHanging' },
      {
        when: 'checkpoints come',
        log: ['+1799', 'The checkpoint is finalized. All shards is written.', '+599'],
        found: undefined,
      },
    ],
  },
  {
    rule: {
      name: 'LowThroughputDetection',
      logPattern: ".*\\[Epoch 0 Batch \\d+.*'samples\\/sec': (\\d+(\\.\\d+)?).*",
      metricThreshold: 80,
      operator: 'lteq',
      metricEvaluationDataPoints: 25,
    },
    histories: [
      { when: '25 values are low', log: times(25, speed(80)), found: 'LogSlow' },
      { when: '24 values are low', log: times(24, speed(80)), found: undefined },
      { when: 'one of them is not', log: [...times(24, speed(80)), speed(81), speed(80)], found: undefined },
    ],
  },
  {
    rule: { name: 'JobStartGracePeriod', logPattern: '.*Train Epoch.*', expectedStartCutOffInSeconds: 60 },
    histories: [
      { when: 'an epoch begins', log: ['+59', epoch, '+999'], found: undefined },
      { when: 'none does', log: ['+61'], found: 'LogHanging' },
    ],
  },
  {
    rule: {
      name: 'JobHangingDetectionOfEpochs',
      logPattern: '.*Train Epoch.*',
      expectedRecurringFrequencyInSeconds: 10,
    },
    histories: [
      { when: 'nothing has matched yet', log: ['+999'], found: undefined },
      { when: 'lines come', log: [epoch, '+9', epoch, '+9', epoch], found: undefined },
      { when: 'they stop', log: [epoch, '+9', epoch, '+11'], found: 'LogHanging' },
    ],
  },
  {
    rule: {
      name: 'LossSpikeDetection',
      logPattern: '.*training_loss_step (\\d+(?:\\.\\d+)?).*',
      metricThreshold: 2.0,
      operator: 'gt',
      metricEvaluationDataPoints: 5,
    },
    histories: [
      { when: 'five are above', log: times(5, 'training_loss_step 5.0'), found: 'LogSlow' },
      { when: 'five are at the limit', log: times(5, 'training_loss_step 2.0'), found: undefined },
    ],
  },
  {
    rule: {
      name: 'TFLOPs',
      logPattern: '.* (.+)TFLOPs.*',
      expectedRecurringFrequencyInSeconds: 5,
      metricThreshold: 100,
      operator: 'lt',
      metricEvaluationDataPoints: 5,
    },
    histories: [
      { when: 'five are low', log: tflops(5, 99.5), found: 'LogSlow' },
      { when: 'none is low', log: tflops(50, 120), found: undefined },
      { when: 'it recovers', log: [...tflops(5, 99), ...tflops(1, 101)], found: undefined },
      { when: 'they stop', log: [...tflops(1, 120), '+6'], found: 'LogHanging' },
    ],
  },
  {
    rule: { name: 'GPU Error', logPattern: '.*RuntimeError.*out of memory.*', faultOnMatch: true },
    histories: [
      { when: 'the line is there', log: ['RuntimeError: CUDA out of memory.'], found: 'LogFault' },
      { when: 'other lines follow', log: ['RuntimeError: out of memory', ...times(9, 'fine')], found: 'LogFault' },
      { when: 'another error is there', log: ['RuntimeError: no such file'], found: undefined },
    ],
  },
];
