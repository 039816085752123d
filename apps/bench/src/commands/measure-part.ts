import { extractMessage } from '@palimpsest/decisions'
import { createTokenCounter } from '@palimpsest/tokens'
import { runBills } from '../cost/run-bills.ts'
import { runCost } from '../cost/run-cost.ts'
import { runDecisions } from '../decisions/run-decisions.ts'
import { runDialogues } from '../dialogues/run-dialogues.ts'
import { runRecall } from '../recall/run-recall.ts'
import { runFullSpeed } from '../speed/run-full-speed.ts'
import type { Part } from './bench-options.ts'
import { DIALOGUE_TURNS } from './dialogues.ts'
import { measureJudge } from './measure-judge.ts'
import type { Measured, PartInput } from './part.ts'

export function measurePart(input: PartInput): Promise<Measured> {
  return MEASURES[input.part](input)
}

const MEASURES: Readonly<Record<Part, (input: PartInput) => Promise<Measured>>> = {
  recall: measureRecall,
  cost: measureCost,
  speed: measureSpeed,
}

async function measureRecall(input: PartInput): Promise<Measured> {
  const { arms, data, options, progress } = input
  const { budgets, seeds } = options
  const tokens = createTokenCounter()
  const recall = await runRecall({ ...data, arms, budgets, tokens, progress })
  const dialogues = await runDialogues({ arms, seeds, turns: DIALOGUE_TURNS, budgets, progress })
  progress.step('decisions of the labelled set')
  const decisions = await runDecisions(extractMessage, ['dev', 'held-out'])
  const judge = input.models === undefined ? undefined : await measureJudge(input, input.models)
  progress.end()
  return {
    recall,
    dialogues,
    decisions: { ...decisions, parts: decisions.parts.map(({ speed: _, ...part }) => part) },
    ...(judge !== undefined && { judge }),
    times: { extraction: decisions.parts.map(({ part, speed }) => ({ part, ...speed })) },
  }
}

async function measureCost({ arms, data, folder, options, progress }: PartInput): Promise<Measured> {
  const { budgets, windows, seed } = options
  const bills = await runBills({ ...data, arms, budgets, tokens: createTokenCounter(), progress })
  const { planning, ...cost } = await runCost({ seed, windows, data: folder, progress })
  return { bills, cost, times: { planning } }
}

async function measureSpeed({ data, sizes, options, progress }: PartInput): Promise<Measured> {
  return { speed: await runFullSpeed({ seed: options.seed, sizes, data: data.sessions, progress }) }
}
