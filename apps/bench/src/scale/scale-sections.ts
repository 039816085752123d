import { bytes, decimal, milliseconds, NOTHING, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import { grepSections } from './grep-sections.ts'
import type { ScaleReport } from './scale-report.ts'
import { sizeSections } from './size-sections.ts'
import { turnSections } from './turn-sections.ts'

/** The page of figures. */
export function scaleSections(report: ScaleReport): Section[] {
  return [
    aboutSection(report),
    ...turnSections(report),
    ...grepSections(report),
    workerSection(report),
    ...sizeSections(report),
    upkeepSection(report),
    loadSection(report),
  ]
}

function aboutSection({ command, date, machine, node, server, settings, seed, sizes }: ScaleReport): Section {
  const { cpu, cores, memory, platform } = machine
  const large = sizes.at(-1)
  return {
    level: 1,
    title: 'Figures of the stores in PostgreSQL',
    text: [
      'What `docs/scale.md` says in words. This page is generated: do not edit it.',
      `\`${command}\``,
      `${whole(large?.messages ?? 0)} messages in ${whole(large?.sessions ?? 0)} sessions, and a tenth and a hundredth of both, in three schemas of one server on this machine: generated coding conversations, 2 KB a message, each session with words of its own, covered with summaries but for its end. Times of a busy machine say little; ratios are to floors that were measured in turn with them in the same run.`,
    ],
    table: {
      columns: [left('made'), left('')],
      rows: [
        ['date', date],
        ['machine', `${cpu}, ${cores} cores, ${bytes(memory)}, ${platform}`],
        ['versions', `node ${node}, PostgreSQL ${server}`],
        [
          'settings',
          Object.entries(settings)
            .map(([name, value]) => `${name} ${value}`)
            .join(', '),
        ],
        ['seed', String(seed)],
      ],
    },
  }
}

function workerSection({ workers, sizes }: ScaleReport): Section {
  return {
    level: 2,
    title: 'Workers at the same time',
    text: [
      `Processes that append turns of about a dozen messages each to the store of ${whole(sizes.at(-1)?.messages ?? 0)} messages, on the same machine as the server. The floor are processes that write the same rows by plain statements, which need not be made first: on the same session they wait for each other in the place of a conflict. Who lost a race looked at the head and wrote again; afterwards every message was counted by its id.`,
    ],
    table: {
      columns: [
        right('workers'),
        left('on'),
        ...['turns/s', 'floor, turns/s', 'share of the floor', 'races lost', 'written', 'there once'].map(
          right,
        ),
      ],
      rows: workers.map((row) => [
        whole(row.workers),
        row.on,
        decimal(row.turns, 1),
        decimal(row.floor, 1),
        decimal(row.turns / row.floor, 2),
        whole(row.conflicts),
        whole(row.written),
        whole(row.found),
      ]),
    },
  }
}

function upkeepSection({ upkeep }: ScaleReport): Section {
  return {
    level: 2,
    title: 'What grows',
    text: [
      'Counts of pages do not depend on how busy a machine is. Entries of new texts wait in a list of each index of texts until it is full or a vacuum comes; merging them is what grows most.',
    ],
    table: {
      columns: [
        right('messages'),
        right('depth of the primary key'),
        right('pages for 12 rows'),
        right('log for 12 rows'),
        right('merging 1,000 messages'),
        right('vacuum behind 1,000 messages'),
      ],
      rows: upkeep.map((row) => [
        whole(row.messages),
        row.depth === null ? NOTHING : String(row.depth),
        whole(row.insertPages),
        bytes(row.insertLogged),
        milliseconds(row.merging),
        milliseconds(row.vacuum),
      ]),
    },
  }
}

function loadSection({ load }: ScaleReport): Section {
  return {
    level: 2,
    title: 'How busy the machine was',
    text: ['Processes that wanted a core, on average of the minute before each step.'],
    table: {
      columns: [left('step'), right('load')],
      rows: load.map(({ step, load: value }) => [step, decimal(value, 1)]),
    },
  }
}
