import type { BenchReport } from '../bench-report.ts'
import { bytes, whole } from '../format.ts'
import { left, type Section } from '../section.ts'

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
        'All with the same tokenizer, the same budgets and the same offline summariser. A budget is the most tokens that the messages of a projection may take; an engine may use all of it.',
        `${whole(arms.filter(({ kind }) => kind === 'peer').length)} peers, ${whole(arms.filter(({ kind }) => kind === 'engine').length)} engines, ${whole(arms.filter(({ kind }) => kind === 'bound').length)} bounds.`,
      ],
      table: {
        columns: [left('arm'), left('kind'), left('what it is')],
        rows: arms.map(({ name, kind, description }) => [name, kind, description]),
      },
    },
  ]
}
