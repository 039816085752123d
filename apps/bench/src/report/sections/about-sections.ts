import type { ArmFacts, BenchReport } from '../bench-report.ts'
import { bytes, counted } from '../format.ts'
import { left, type Section } from '../section.ts'

/** Where it would be half the truth that all have the same summariser. */
const SUMMARIES =
  'The text of summaries is by the same offline summariser for all who summarise, but what is around it is not the same. Our engines put a list of identifiers beside it that is ranked over the whole session: up to 18 % of the room, and most of an extract of `lcm`. That is work of the engine, but the headline measure counts identifiers, so it is what the measure rewards. LangChain’s summarising gets the summariser alone, whose own lists are of what it is given to summarise, with 30 % of the budget for its text: about as much as the compressor has for text and list together.'

/** What this is, what made it, and what is compared. */
export function aboutSections({
  command,
  machine,
  date,
  versions,
  seeds,
  arms,
  recall,
}: BenchReport): Section[] {
  const { cpu, cores, memory, platform } = machine
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    {
      level: 1,
      title: 'Benchmarks',
      text: [
        'What an engine keeps, what it costs and how fast it is, side by side. This page is generated: do not edit it.',
        `\`${command}\``,
        'Everything but times is the same in every run with the same sessions, byte for byte. No network and no model, unless a part says so.',
      ],
      table: {
        columns: [left('made'), left('')],
        rows: [
          ['date', date],
          ['machine', `${cpu}, ${cores} cores, ${bytes(memory)}, ${platform}`],
          ['versions', packages.join(', ')],
          [
            'seeds',
            `generated dialogues 1 to ${seeds.dialogues}, other conversations ${seeds.conversations}`,
          ],
          ...(recall === undefined ? [] : [['sessions', recall.sessions.map(({ name }) => name).join(', ')]]),
        ],
      },
    },
    {
      level: 2,
      title: 'What is compared',
      text: [
        'All with the same tokenizer and the same budgets. A budget is the most tokens that the messages of a projection may take; an engine may use all of it.',
        ...(arms.some(({ kind }) => kind === 'peer') ? [SUMMARIES] : []),
        `${count(arms, 'peer')}, ${count(arms, 'engine')}, ${count(arms, 'bound')}.`,
      ],
      table: {
        columns: [left('arm'), left('kind'), left('what it is')],
        rows: arms.map(({ name, kind, description }) => [name, kind, description]),
      },
    },
  ]
}

const count = (arms: readonly ArmFacts[], kind: ArmFacts['kind']): string =>
  counted(arms.filter((arm) => arm.kind === kind).length, kind)
