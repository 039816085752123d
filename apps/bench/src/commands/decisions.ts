import { extractMessage } from '@palimpsest/decisions'
import { Option } from 'commander'
import {
  type Label,
  type LabelledConversation,
  type LabelledMessage,
  type LabelledPart,
  PARTS,
  type Part,
  readPart,
} from '../decisions/labelled-set.ts'
import { type RecordScore, scoreRecords } from '../decisions/score-record.ts'
import {
  type Extractor,
  type Failure,
  type Finding,
  LABEL_KINDS,
  type Score,
  scoreSet,
} from '../decisions/score-set.ts'
import { SIMPLE_READERS } from '../decisions/simple-readers.ts'
import { type Column, decimal, left, madeBy, right, type Section, tableOf, whole } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'

type DecisionsOptions = { readonly part: Part | 'all'; readonly failures?: boolean }

export const decisions = defineMeasure<DecisionsReport, DecisionsOptions>({
  description: 'precision and recall of the extractor without a model, on a labelled set',
  options: [
    new Option('--part <part>', 'which part of the set').choices([...PARTS, 'all']).default('all'),
    new Option('--failures', 'list what was missed and what was wrongly found'),
  ],
  async run({ part }, { root }) {
    const chosen: readonly Part[] = part === 'all' ? PARTS : [part]
    const parts = await Promise.all(chosen.map((name) => readPart(root, name)))
    return { ...runDecisions(extractMessage, parts), records: await scoreRecords(root) }
  },
  sections: decisionSections,
  page: decisionsPage,
  more: ({ parts, records = [] }, { failures = false }) =>
    failures ? renderFailures(parts).concat(records.flatMap(renderRecordFailures).join('\n'), '\n') : '',
})

/** The part of the labelled set whose figures are the ones to quote: the others were looked at, and flatter. */
const QUOTED: Part = 'unseen'

function decisionsPage({ parts }: DecisionsReport, command: string): Section {
  return {
    title: 'Decisions read by rules',
    text: `${madeBy(command)} Labelled conversations by someone who never saw the rules (\`unseen\`); few decide on a technology. Right: kind, subject and value. Precision: of the decisions found. Recall: of those made.`,
    table: tableOf(
      parts.filter(({ part }) => part === QUOTED).flatMap(({ readers }) => readers),
      [
        left('reader', ({ reader }) => reader),
        right('precision', ({ score }) => decimal(score.precision, 2)),
        right('found', ({ score }) => whole(score.findings)),
        right('recall', ({ score }) => decimal(score.recall, 2)),
        right('made', ({ score }) => whole(score.labels)),
      ],
    ),
  }
}

export function decisionSections({ parts, records = [] }: DecisionsReport): Section[] {
  return [
    {
      title: 'Decisions found without a model',
      text: [
        'The rules that read decisions out of messages, over a labelled set of conversations. Of `dev` and `held-out`, mistakes were ' +
          'looked at and mended. `unseen` was written without knowledge of the rules: its figures are the ones to quote. Strict: ' +
          'kind, slot and value must be right. Value: a right value in a wrong slot counts. n is what precision and recall are ' +
          'shares of.',
        ...parts.map(
          ({ part, conversations, messages, userMessages, negatives }) =>
            `\`${part}\`: ${whole(conversations)} conversations, ${whole(messages)} messages, ${whole(userMessages)} by users, of which ${whole(negatives)} decide nothing.`,
        ),
      ],
      table: tableOf(
        parts.flatMap(({ part, scores }) =>
          scores.flatMap(({ measure, byKind, total }) => [
            ...LABEL_KINDS.map((kind) => ({ part, measure, kind, score: byKind[kind] })),
            { part, measure, kind: 'total', score: total },
          ]),
        ),
        [
          left('part', ({ part }) => part),
          left('measure', ({ measure }) => measure),
          left('kind', ({ kind }) => kind),
          ...SCORE_COLUMNS,
        ],
      ),
    },
    {
      level: 3,
      title: 'The rules beside the simplest readers',
      text: 'Strict. The simple ones have the dictionary of the rules, and take what they find in words of the user as decided.',
      table: tableOf(
        parts.flatMap(({ part, readers }) => readers.map((each) => ({ part, ...each }))),
        [left('part', ({ part }) => part), left('reader', ({ reader }) => reader), ...SCORE_COLUMNS],
      ),
    },
    {
      level: 3,
      title: 'Decisions by language',
      table: tableOf(
        parts.flatMap(({ part, languages }) =>
          languages.flatMap(({ language, userMessages, strict, value }) => [
            { part, language, userMessages, measure: 'strict', score: strict },
            { part, language, userMessages, measure: 'value', score: value },
          ]),
        ),
        [
          left('part', ({ part }) => part),
          left('language', ({ language }) => language),
          right('user messages', ({ userMessages }) => whole(userMessages)),
          left('measure', ({ measure }) => measure),
          ...SCORE_COLUMNS,
        ],
      ),
    },
    {
      level: 3,
      title: 'Decisions on record at the end',
      text:
        'Short conversations by the author of the rules, in which choices are corrected, taken back, quoted and denied. What is on ' +
        'record at their end must be what a careful reader has there, and no more. Of `dev`, mistakes were looked at while the rules ' +
        'were written, of `held-out` afterwards.',
      table: tableOf(
        records.map(({ total: score, ...record }) => ({ ...record, score })),
        [
          left('part', ({ part }) => part),
          right('conversations', ({ conversations }) => whole(conversations)),
          right('without a mistake', ({ conversations, failures }) => whole(conversations - failures.length)),
          ...SCORE_COLUMNS,
        ],
      ),
    },
  ]
}

const SCORE_COLUMNS: readonly Column<{ readonly score: Score }>[] = [
  right('precision', ({ score }) => decimal(score.precision, 3)),
  right('n', ({ score }) => whole(score.findings)),
  right('recall', ({ score }) => decimal(score.recall, 3)),
  right('n', ({ score }) => whole(score.labels)),
  right('F1', ({ score }) => decimal(score.f1, 3)),
]

type DecisionsReport = ReturnType<typeof runDecisions> & { readonly records?: readonly RecordScore[] }

type PartReport = ReturnType<typeof measurePart>

export function runDecisions(extract: Extractor, parts: readonly LabelledPart[]) {
  return { parts: parts.map((part) => measurePart(extract, part)) }
}

function measurePart(extract: Extractor, { part, conversations }: LabelledPart) {
  const users = usersIn(conversations)
  const [strict, value] = [
    scoreSet(extract, conversations, 'strict'),
    scoreSet(extract, conversations, 'value'),
  ]
  return {
    part,
    conversations: conversations.length,
    messages: conversations.flatMap(({ messages }) => messages).length,
    userMessages: users.length,
    negatives: users.filter(({ negative }) => negative !== undefined).length,
    scores: [strict, value],
    readers: [
      { reader: 'rules', score: strict.total },
      ...SIMPLE_READERS.map(({ name, extract: read }) => ({
        reader: name,
        score: scoreSet(read, conversations, 'strict').total,
      })),
    ],
    languages: scoreLanguages(extract, conversations),
  }
}

const usersIn = (conversations: readonly LabelledConversation[]): LabelledMessage[] =>
  conversations.flatMap(({ messages }) => messages).filter(({ message }) => message.role === 'user')

/** The scores of the conversations in each language, and in all but English. */
function scoreLanguages(extract: Extractor, conversations: readonly LabelledConversation[]) {
  const score = (language: string, isIn: (conversation: LabelledConversation) => boolean) => {
    const within = conversations.filter(isIn)
    return {
      language,
      userMessages: usersIn(within).length,
      strict: scoreSet(extract, within, 'strict').total,
      value: scoreSet(extract, within, 'value').total,
    }
  }
  const languages = new Set(conversations.map(({ language }) => language))
  return [
    ...Array.from(languages, (each) => score(each, ({ language }) => language === each)),
    score('all but en', ({ language }) => language !== 'en'),
  ]
}

export function renderFailures(parts: readonly PartReport[]): string {
  return parts
    .flatMap(({ part, scores: [strict] }) => [`${part}:`, ...(strict?.failures ?? []).map(renderFailure)])
    .join('\n')
    .concat('\n')
}

const renderRecordFailures = ({ part, failures }: RecordScore): string[] =>
  failures.map(({ id, turns, score }) =>
    [
      `\n${part} ${id}: ${JSON.stringify(turns)}`,
      ...score.misses.map((label) => `  missed  ${describeLabel(label)}`),
      ...score.alarms.map((finding) => `  wrong   ${describeFinding(finding)}`),
    ].join('\n'),
  )

function renderFailure({ id, message, role, text, score }: Failure): string {
  return [
    `\n${id} [${message}] ${role}: ${text}`,
    ...score.misses.map((label) => `  missed  ${describeLabel(label)}`),
    ...score.alarms.map((finding) => `  wrong   ${describeFinding(finding)}`),
  ].join('\n')
}

function describeLabel({ kinds, slot, value, replaces, area }: Label): string {
  return describe(kinds.join('/'), slot, value, replaces, area)
}

function describeFinding({ kind, slot, value, replaces, area, quote }: Finding): string {
  return `${describe(kind, slot, value, replaces, area === '' ? undefined : area)}  «${quote}»`
}

function describe(kind: string, slot: string, value: string, replaces?: string, area?: string): string {
  return [
    kind,
    `${slot}:`,
    value === '' ? '(all)' : value,
    ...(replaces === undefined ? [] : [`instead of ${replaces}`]),
    ...(area === undefined ? [] : [`in ${area}`]),
  ].join(' ')
}
