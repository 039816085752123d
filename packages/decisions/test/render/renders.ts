import { roughTokenCounter } from '@palimpsest/core'
import type { ArtifactOperation, ArtifactTouch } from '../../src/candidates/artifact-touch.ts'
import type { DecisionEvent } from '../../src/log/decision-event.ts'
import { createDecisionLedger } from '../../src/log/decision-ledger.ts'
import { renderRecall } from '../../src/render/render-recall.ts'
import { renderTopBlock } from '../../src/render/render-top-block.ts'
import type { RenderInput } from '../../src/render/rendered-block.ts'
import { Shown } from '../../src/render/shown.ts'
import { TouchedFiles } from '../../src/render/touched-files.ts'

type Options = Partial<Omit<RenderInput, 'decisions' | 'touched'>> & {
  readonly artifacts?: readonly ArtifactTouch[]
}

function inputOf(events: readonly DecisionEvent[], { artifacts = [], ...options }: Options): RenderInput {
  return {
    decisions: createDecisionLedger(events),
    touched: touchedBy(artifacts),
    session: 's1',
    tokens: roughTokenCounter,
    budgetTokens: 7_500,
    ...options,
  }
}

/** The block at the top of what a log says so far. Its lines have all that is on record, so that another log can be held against them. */
export function top(events: readonly DecisionEvent[], options: Options = {}) {
  const input = inputOf(events, options)
  const { onRecord, ...block } = renderTopBlock(input)
  const counted = input.decisions.all.filter(({ id }) => onRecord?.entries.heldAt(id, onRecord.version))
  return { ...block, lines: new Map([...counted.map(({ id }) => [id, ''] as const), ...block.lines]) }
}

/** The block next to the query. */
export function recall(
  events: readonly DecisionEvent[],
  shown: ReadonlyMap<string, string>,
  options: Options = {},
) {
  const block = renderRecall({
    ...inputOf(events, { budgetTokens: 800, ...options }),
    shown: new Shown({ lines: shown }),
  })
  return { ...block, lines: new Map([...shown, ...block.lines]) }
}

/** Lines of decisions in a block, without their details. */
export function entryLines(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('- '))
}

/** A call's touch of a file. */
export function touch(
  path: string,
  operation: ArtifactOperation,
  turn: number,
  failed = false,
): ArtifactTouch {
  return { message: 2 * turn + 1, call: 0, turn, path, operation, failed }
}

export function touchedBy(touches: readonly ArtifactTouch[]): TouchedFiles {
  const files = new TouchedFiles()
  files.add(touches)
  return files
}
