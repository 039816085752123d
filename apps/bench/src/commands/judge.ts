import { createTokenCounter } from '@palimpsest/tokens'
import { Option } from 'commander'
import { generateDialogue } from '../dialogues/generate-dialogue.ts'
import { createJudgeModels } from '../judge/judge-models.ts'
import { judgeSections } from '../judge/judge-sections.ts'
import { type JudgeReport, runJudge } from '../judge/run-judge.ts'
import { createRunCode } from '../run-code/run-code.ts'
import { defineMeasure, type Given } from './define-measure.ts'
import { DIALOGUE_TURNS } from './dialogues.ts'
import { BUDGETS, chooseArms, ENGINES, SEEDS } from './options.ts'
import { UsageError } from './usage-error.ts'

/** The sandbox for code of models, seen from the bench's folder. Node runs it as it is. */
const SANDBOX = 'src/run-code/sandbox.ts'

type JudgeOptions = Given & { readonly runCode?: true }

/** `bench judge`. Ctrl-C ends it early: answers were paid for, and those that came are kept. */
export const judge = defineMeasure<JudgeReport, JudgeOptions>({
  description:
    'lets models answer from the prompts of the dialogues, and judge; takes GEMINI_API_KEY, and costs money',
  options: [
    SEEDS,
    BUDGETS,
    ENGINES,
    new Option('--run-code', 'let models write functions too, and run them'),
  ],
  async run({ seeds, budgets, engines, runCode }, { root, env, progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const arms = chooseArms(ARMS, engines)
    const models = createJudgeModels(env)
    if (models === undefined) throw new UsageError('judge: there is no key; set GEMINI_API_KEY')
    const interrupt = new AbortController()
    const onInterrupt = () => interrupt.abort(new Error('interrupted'))
    process.once('SIGINT', onInterrupt)
    const turns = DIALOGUE_TURNS
    const report = await runJudge({
      ...models,
      arms,
      budgets,
      dialogues: Array.from({ length: seeds }, (_, index) => generateDialogue({ seed: index + 1, turns })),
      tokens: createTokenCounter(),
      ...(runCode && { runCode: createRunCode(new URL(SANDBOX, root)) }),
      signal: interrupt.signal,
      progress,
    })
    process.off('SIGINT', onInterrupt)
    return report
  },
  sections: judgeSections,
})
