import { createTokenCounter } from '@palimpsest/tokens'
import { Command } from 'commander'
import { createProgress } from '../progress.ts'
import { budgetsOption, enginesOption, seedsOption } from './arm-options.ts'
import { checkOutputs } from './check-outputs.ts'
import { chooseArms } from './choose-arms.ts'
import { DIALOGUE_TURNS } from './dialogues.ts'
import { finishRun } from './finish-run.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

/** The sandbox for code of models, seen from the bench's folder. Node runs it as it is. */
const SANDBOX = 'src/run-code/sandbox.ts'

interface JudgeOptions {
  readonly seeds: number
  readonly budgets: readonly number[]
  readonly engines?: readonly string[]
  readonly runCode?: true
  readonly json?: string
}

/** `bench judge`. Ctrl-C ends it early: answers were paid for, and those that came are kept. */
export function judgeCommand(surroundings: Surroundings): Command {
  const { root, stderr, env } = surroundings
  return new Command('judge')
    .description(
      'lets models answer from the prompts of the dialogues, and judge; takes GEMINI_API_KEY, and costs money',
    )
    .addOption(seedsOption())
    .addOption(budgetsOption())
    .addOption(enginesOption())
    .option('--run-code', 'let models write functions too, and run them')
    .option('--json <file>', 'write the figures, and every answer, to a file too')
    .action(async ({ seeds, budgets, engines, runCode, json }: JudgeOptions, command: Command) => {
      checkOutputs({ '--json': json })
      const { ARMS } = await import('../arms/arms.ts')
      const { createJudgeModels } = await import('../judge/judge-models.ts')
      const { LEAST_RUNS, runJudge } = await import('../judge/run-judge.ts')
      const { generateDialogue } = await import('../dialogues/generate-dialogue.ts')
      const { createRunCode } = await import('../run-code/run-code.ts')
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
        runs: LEAST_RUNS,
        signal: interrupt.signal,
        progress: createProgress(stderr),
      })
      process.off('SIGINT', onInterrupt)
      await finishRun('judge', report, command, surroundings)
    })
}
