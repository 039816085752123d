import type { BenchReport } from '../bench-report.ts'
import { counted } from '../format.ts'
import type { Section } from '../section.ts'

/** Below so many sessions, an interval from resampling them says little. */
const FEW_SESSIONS = 10

/** What nobody should read out of the figures. */
export function limitsSection({ recall, dialogues, judge, bills, speed, arms }: BenchReport): Section {
  const kept: readonly (string | false)[] = [
    judge === undefined &&
      'No model answered. A fact that stands in the prompt may still be overlooked, and one that does not may be guessed or asked for. With a key, `--judge` lets models answer and judge.',
    recall !== undefined &&
      `Identifiers stand for facts: they can be found without a judge, and they are not all that matters. Reasons, plans and agreements in other words are not counted, nor is whether what stands around an identifier is true.`,
    recall !== undefined &&
      recall.sessions.length < FEW_SESSIONS &&
      `${counted(recall.sessions.length, 'recorded session')}, of coding agents. Sessions of different lengths weigh by their cases, not all have cases at every budget (the section on recall counts them), and an interval from resampling so few says little. Your own sessions (\`--data\`) say more.`,
    recall !== undefined &&
      'The recorded model saw another prompt than the arms would have sent: what it referred to is what its own host had kept, and it might have gone on differently with ours.',
    'The text of all summaries is by the offline summariser. A model writes better ones, for everybody: engines and peers that lean on it are at a disadvantage here, and those that put a ranked list of identifiers beside it, as ours do, have an advantage where identifiers are counted.',
    arms.some(({ kind }) => kind === 'peer') &&
      'Peers are libraries that run without a service, with the settings that the table above names; they were not tuned. Hosted memories, agents with a compaction of their own, and search by embeddings were not measured at all.',
    recall !== undefined &&
      'Tools are called by a script, with the name of what is looked for or with words around it: a model may search better, worse or not at all.',
    dialogues !== undefined &&
      'Generated dialogues are regular: they say what an engine can do with plain statements, corrections and questions, not how people talk.',
    bills !== undefined &&
      'Bills are simulated, from list prices, with summaries of the length that was asked for and of no meaning: no provider was asked, and what a search by tools costs the model in further turns is not in them.',
    speed !== undefined &&
      'Times are those of one machine with one process at work, without a network and with summaries that cost no time.',
  ]
  return {
    level: 2,
    title: 'What this does not measure',
    text: [],
    points: kept.filter((point) => point !== false),
  }
}
