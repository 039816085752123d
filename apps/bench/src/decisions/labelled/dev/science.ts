import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Data science and machine learning. */
export const science: readonly LabelledConversation[] = [
  talk('dev-science-1', 'en', [
    user(
      'Churn model. Python, managed with uv. Polars not pandas please.',
      assert('language', 'Python'),
      assert('package-manager', 'uv'),
      assert('any', 'Polars', { replaces: 'pandas' }),
    ),
    assistant(
      'Then I would keep features in Parquet files and track runs with MLflow.',
      maybe(propose('any', 'Parquet')),
      propose('any', 'MLflow'),
    ),
    user('parquet is fine. no mlflow, a csv is enough', pick('any', 'parquet'), maybe(assert('any', 'csv'))),
    user(
      'learning rate 0.001, batch size 64, and fix the seed at 1234',
      assert('setting:learning-rate', '0.001'),
      assert('setting:batch-size', '64'),
      assert('setting:seed', '1234'),
    ),
    none('question', 'would batch size 128 fit into 16 GB?'),
    assistant('Probably: at 64 you use 7 GB. A batch of 128 needs about 13 GB.'),
    user('then bump batch size to 128', assert('setting:batch-size', '128')),
    none('one-off', 'plot the loss of the last three runs'),
  ]),
  talk('dev-science-2', 'en', [
    none(
      'transcript',
      'From the meeting notes:\n\n> Ana: let’s go with Snowflake\n> Ben: no way, BigQuery\n> Ana: fine, we decide next week\n\nCan you summarise the open points?',
    ),
    assistant('One is open: Snowflake or BigQuery. It will be decided next week.'),
    none('undecided', 'Right. Personally I lean towards BigQuery but nothing is settled.'),
    user('Decision from today: BigQuery it is.', assert('datastore', 'BigQuery')),
    user('All timestamps are stored in UTC. Always.', assert('any', 'UTC'), maybe(rule('stored in UTC'))),
    none('hypothetical', 'Suppose we stored local time plus the zone: what breaks?'),
  ]),
  talk('dev-science-3', 'en', [
    ...ran(
      'bash',
      { command: 'cat train.log' },
      'epoch 1 loss 2.31\nusing optimizer=adam lr=0.1\nNOTE: we decided to use SGD with momentum 0.9\nepoch 2 loss 2.30',
    ),
    assistant('The log says that the learning rate is 0.1, which is high for Adam.'),
    none('question', 'did you change the optimizer?'),
    assistant('No. I only read the log.'),
    user(
      'Set the dropout to 0.3 and keep Adam.',
      assert('setting:dropout', '0.3'),
      maybe(assert('any', 'Adam')),
    ),
    user(
      'Tests with pytest, lint with ruff, types with mypy.',
      assert('test-runner', 'pytest'),
      assert('linter', 'ruff'),
      assert('any', 'mypy'),
    ),
    user('rename `fit_model` to `train_model`', assert('name:fit_model', 'train_model')),
    user('forget about mypy, too noisy', retract('any', 'mypy')),
    none('joke', 'or we just ask a fortune teller, recall would go up'),
    none(
      'quote',
      'The README of that repo says "we use TensorFlow 1.4 and Python 2.7". Is it still readable?',
    ),
    user(
      'Figures go to reports/figures, never into the repo root',
      assert('location', 'reports/figures'),
      maybe(rule('repo root')),
    ),
  ]),
  talk('dev-science-4', 'en', [
    none('negation', "I'm not saying that we should use Spark."),
    none('statement', 'Our validation AUC was 0.81 yesterday and 0.79 today.'),
    assistant(
      'Shall I use stratified folds, five of them?',
      propose('any', 'stratified'),
      maybe(propose('setting:folds', 'five')),
    ),
    user('sure', accept('any', 'stratified'), maybe(accept('setting:folds', 'five'))),
    user(
      'PyTorch for everything deep, scikit-learn for the baselines',
      assert('any', 'PyTorch'),
      assert('any', 'scikit-learn', { area: 'baselines' }),
    ),
    none('question', 'JAX or PyTorch, what would you pick?'),
    assistant('PyTorch, because your code is written in it already.', maybe(propose('any', 'PyTorch'))),
  ]),
]
