import { createTokenCounter } from '@palimpsest/tokens'
import type { Progress } from '../lcm/progress.ts'
import type { Arm } from './arms.ts'
import { type Dialogue, type ItemKind, settledItems } from './dialogue.ts'
import { generateDialogue } from './generate-dialogue.ts'
import { type Played, playDialogue } from './play-dialogue.ts'
import { type ArmSummary, summarizePlays } from './summarize-plays.ts'

export interface DialoguesReport {
  readonly node: string
  readonly turns: number
  readonly dialogues: readonly DialogueSize[]
  readonly rows: readonly ArmSummary[]
  /** What each arm did not show although it was asked for. */
  readonly missed: readonly MissedItem[]
}

export interface DialogueSize {
  readonly seed: number
  readonly messages: number
  readonly tokens: number
  readonly topics: number
  readonly items: number
  readonly corrected: number
  readonly probes: number
}

/** An item that the model was asked about and did not have before it, or had with a value that no longer held. */
export interface MissedItem {
  readonly arm: string
  readonly budget: number
  readonly seed: number
  /** Indexes of the messages: when it was settled, and when it was asked for. */
  readonly settledAt: number
  readonly askedAt: number
  readonly kind: ItemKind
  readonly subject: string
  readonly value: string
  readonly wrong?: string
  readonly isShown: boolean
  readonly isStale: boolean
}

export interface DialoguesInput {
  readonly arms: readonly Arm[]
  /** How many dialogues: seeds 1 to this. */
  readonly seeds: number
  /** User turns of each; at least `LEAST_TURNS`. */
  readonly turns: number
  /** Windows, in tokens. */
  readonly budgets: readonly number[]
  readonly progress: Progress
}

/** Fewer do not hold every item and every question. */
export const LEAST_TURNS = 30

/** Plays every dialogue with every arm at every budget. */
export async function runDialogues({
  arms,
  seeds,
  turns,
  budgets,
  progress,
}: DialoguesInput): Promise<DialoguesReport> {
  const tokens = createTokenCounter()
  const dialogues = Array.from({ length: seeds }, (_, index) => generateDialogue({ seed: index + 1, turns }))
  const rows: ArmSummary[] = []
  const missed: MissedItem[] = []
  for (const budget of budgets) {
    let first: readonly Played[] | undefined
    for (const arm of arms) {
      progress.step(`${arm.name} within ${budget} tokens`)
      const plays: Played[] = []
      for (const dialogue of dialogues) {
        plays.push(await playDialogue({ arm, dialogue, budget, tokens }))
        progress.done(plays.length, dialogues.length)
      }
      first ??= plays
      rows.push(summarizePlays({ arm: arm.name, budget, plays, first }))
      missed.push(...plays.flatMap((play) => missesOf(play, arm.name, budget)))
    }
  }
  progress.end()
  const sizes = dialogues.map((dialogue) => sizeOf(dialogue, (message) => tokens.countMessage(message)))
  return { node: process.version, turns, dialogues: sizes, rows, missed }
}

function sizeOf(
  { seed, messages, topics, probes }: Dialogue,
  count: (message: Dialogue['messages'][number]) => number,
): DialogueSize {
  const asked = new Set(probes.flatMap(settledItems))
  return {
    seed,
    messages: messages.length,
    tokens: messages.reduce((sum, message) => sum + count(message), 0),
    topics: topics.length,
    items: asked.size,
    corrected: [...asked].filter(({ wrong }) => wrong !== undefined).length,
    probes: probes.length,
  }
}

function missesOf({ seed, probes }: Played, arm: string, budget: number): MissedItem[] {
  return probes.flatMap(({ message, items }) =>
    items
      .filter(({ isShown, isStale }) => !isShown || isStale === true)
      .map(({ item, isShown, isStale }) => ({
        arm,
        budget,
        seed,
        settledAt: item.settledAt,
        askedAt: message,
        kind: item.kind,
        subject: item.subject.join(' '),
        value: item.value,
        ...(item.wrong !== undefined && { wrong: item.wrong.value }),
        isShown,
        isStale: isStale === true,
      })),
  )
}
