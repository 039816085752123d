import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Data work and machine learning. */
export const science: readonly LabelledConversation[] = [
  talk('third-science-1', 'en', [
    user(
      'Churn model. Python 3.12, uv for the environment, and I want to use CatBoost because half of the columns are categorical.',
      assert('language', 'Python'),
      maybe(assert('setting:python', '3.12')),
      assert('package-manager', 'uv'),
      assert('any', 'CatBoost'),
    ),
    assistant(
      'Set up. I suggest tracking the experiments with MLflow. Should I add it?',
      propose('any', 'MLflow'),
    ),
    none('undecided', "hmm, we have a W&B licence somewhere. I'll check and get back to you on that"),
    user('train/val split is by month, never random', rule('never random')),
    none('question', 'How many rows are left if I throw out everything before 2023?'),
    ...ran(
      'python',
      { code: 'len(df[df.month >= "2023-01"])' },
      '184223\nFutureWarning: use observed=True instead of observed=False',
    ),
    assistant('184,223 rows remain, about 61 % of the data.'),
    user(
      "Good, then we only train on data from 2023 onwards. And checked: it's W&B.",
      maybe(rule('only train on data from 2023')),
      assert('any', 'W&B'),
    ),
    none('statement', 'the CatBoost run took 14 minutes on my laptop with depth 8 and 1000 iterations'),
  ]),
  talk('third-science-2', 'en', [
    none(
      'history',
      'The old pipeline was written in R with targets, then someone ported half of it to Julia',
    ),
    user(
      'New one is pure Python with Polars. No pandas.',
      assert('language', 'Python'),
      assert('any', 'Polars'),
      rule('No pandas'),
    ),
    assistant(
      'For the plots, do you prefer Matplotlib, Plotly or Altair?',
      maybe(propose('any', 'Matplotlib')),
      maybe(propose('any', 'Plotly')),
      maybe(propose('any', 'Altair')),
    ),
    user('Altair please', pick('any', 'Altair')),
    user(
      'Intermediate results go to data/interim as parquet, compressed with zstd',
      assert('location', 'data/interim'),
      assert('any', 'parquet'),
      assert('any', 'zstd'),
    ),
    none('hypothetical', "what would we lose if we'd store them as CSV?"),
    assistant(
      'The types, mostly: every date would come back as a string. CSV files are also five times larger.',
    ),
    none('one-off', 'plot the distribution of session lengths, log scale'),
    user(
      'The colours in figures are from the viridis palette from now on, and dpi is 200',
      assert('any', 'viridis'),
      maybe(rule('viridis palette')),
      assert('setting:dpi', '200'),
    ),
    none('negation', "no no, I didn't mean that we drop parquet"),
    none(
      'code',
      'this cell is slow, why?\n```python\n# use 8 workers\nwith Pool(8) as pool:  # max_tasks=100\n    out = pool.map(clean, parts)\n```',
    ),
  ]),
  talk('third-science-3', 'en', [
    user(
      'fine-tune a small encoder: batch size 32, lr 2e-5, 4 epochs, max length 256',
      assert('setting:batch-size', '32'),
      assert('setting:lr', '2e-5'),
      assert('setting:epochs', '4'),
      assert('setting:max-length', '256'),
    ),
    assistant(
      'I would use the Hugging Face Trainer with DistilBERT for that.',
      maybe(propose('any', 'Hugging Face Trainer')),
      propose('any', 'DistilBERT'),
    ),
    user(
      'not distilbert, take MiniLM. trainer ok',
      assert('any', 'MiniLM'),
      maybe(accept('any', 'Hugging Face Trainer')),
      maybe(pick('any', 'trainer')),
      maybe(retract('any', 'distilbert')),
    ),
    none(
      'log',
      'uh\n```\nOutOfMemoryError: CUDA out of memory. Tried to allocate 1.2 GiB\nsetting batch_size=8, gradient_accumulation_steps=4 (auto)\n```',
    ),
    assistant(
      'The card has 8 GB. A batch size of 16 fits, and gradient accumulation keeps the effective size at 32.',
    ),
    user(
      'ok, batch size 16 with 2 accumulation steps',
      pick('setting:batch-size', '16'),
      assert('setting:accumulation-steps', '2'),
    ),
    none('question', 'is fp16 numerically safe here or should it be bf16?'),
    assistant('Your card does not support bf16. I recommend fp16 with loss scaling.', propose('any', 'fp16')),
    user('sounds good', accept('any', 'fp16')),
    none('joke', 'if it diverges I diverge too'),
  ]),
  talk('third-science-4', 'en', [
    none(
      'transcript',
      'from the meeting notes (auto generated):\n  Lena: we should use Snowflake for this\n  Omar: agreed, we use Snowflake\n  Lena: and Airflow\nnone of that was ever approved, just so you know the background',
    ),
    assistant('Understood. So where does the warehouse live today?'),
    user(
      'BigQuery. And orchestration will be Prefect',
      maybe(assert('datastore', 'BigQuery')),
      assert('any', 'Prefect', { area: 'orchestration' }),
    ),
    none('question', 'Prefect vs Dagster, whats the main difference again'),
    user(
      'flows live in pipelines/flows, named `<source>_daily`',
      assert('location', 'pipelines/flows'),
      maybe(assert('naming', '<source>_daily')),
    ),
    none('negation', 'We have not decided on dbt!'),
    assistant('Right, I took the mention of dbt out of the README.'),
    user(
      'Ok now we have: dbt it is. Models are materialized as views by default.',
      assert('any', 'dbt'),
      assert('any', 'views'),
      maybe(rule('materialized as views')),
    ),
    user(
      'Scrap Prefect, cloud scheduler is plenty for two jobs',
      retract('any', 'Prefect'),
      maybe(assert('any', 'cloud scheduler')),
    ),
  ]),
]
