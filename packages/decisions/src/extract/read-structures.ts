import { findTechnologies } from '../slots/find-technologies.ts'
import { slotOfValue } from '../slots/slots.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { isReport } from './moods.ts'
import { slug } from './slug.ts'

const ITEM = String.raw`[\p{L}_$][\p{L}\p{N}_.$-]{0,40}(?:\([^()]{0,40}\)|\s(?!and\b|or\b|y\b|et\b|und\b|e\b|и\b)[\p{L}_][\p{L}\p{N}_-]{0,30})?`
/** "users, orders and invoices": two at least. */
const LIST = String.raw`(?<list>${ITEM}(?:\s*[,、，]\s*(?:and\s+|und\s+|y\s+|et\s+|e\s+|и\s+)?${ITEM}){0,20}\s*(?:,|\s(?:and|plus|und|y|et|e|и|&)|[、，和与と])\s*${ITEM})`
const PARTS =
  '(?:tables?|collections?|entities|models?|columns?|fields?|properties|members|keys|attributes|types|records?|states?|statuses|roles?|modules?|layers?|packages?|sections?|stages?|steps|parts?|tabellen|spalten|felder|colonnes|champs|columnas|campos|tablas|tabelas|colunas|таблицы|поля|колонки)'
const HAS =
  '(?:has|have|contains?|consists? of|includes?|comprises?|holds?|defines?|carries|gets?|is made (?:up )?of|is split into|are split into|splits into|hat|enthält|besteht aus|contient|comporte|tiene|contiene|tem|contém|содержит|состоит из|имеет)'
const WHOLE =
  '(?:schema|data model|database|table|collection|entity|model|type|struct|class|interface|message|record|object|payload|document|event|enum|row|api|response|request|repo|repository|monorepo|app|package|module|project|service|config|manifest|form|page|screen|menu|pipeline)'

const FRAMES: readonly RegExp[] = [
  // "the schema has the tables users, orders and invoices", "table orders has id, total and currency"
  new RegExp(
    String.raw`(?:^|[,;:]\s*|\b(?:the|our|an?|each|every|and)\s+)(?<name>(?:[\p{L}\p{N}_.-]+\s+){0,2}${WHOLE}(?:\s+[\p{L}_][\p{L}\p{N}_]*)?)\s+${HAS}\s+(?:only\s+|exactly\s+)?(?:the\s+|these\s+|\d+\s+|two\s+|three\s+|four\s+|five\s+)?(?:${PARTS}\s*:?\s+)?${LIST}`,
    'iu',
  ),
  // "orders has the columns id, total and currency"
  new RegExp(
    String.raw`(?:^|[,;:]\s*|\b(?:the|our|an?|each|every|and)\s+)(?<name>[\p{L}_][\p{L}\p{N}_.-]*(?:\s[\p{L}_][\p{L}\p{N}_]*)?)\s+${HAS}\s+(?:only\s+|exactly\s+)?(?:the\s+|these\s+|\d+\s+|two\s+|three\s+|four\s+|five\s+)?${PARTS}\s*:?\s+${LIST}`,
    'iu',
  ),
  // "tables: users, orders, invoices", "the roles are admin, editor and viewer"
  new RegExp(
    String.raw`(?:^|[,;:]\s*|\b(?:the|our|with|and|as)\s+)(?:(?:two|three|four|five|\d+)\s+)?(?<name>(?:[\p{L}_][\p{L}\p{N}_-]*\s+)?${PARTS})(?:\s*[:=→]|\s+(?:are|shall be|should be|will be|must be|sind|sont|son|são)(?:\s+(?:called|named))?:?)\s*${LIST}`,
    'iu',
  ),
]
/** "parse(text) returns a Result". */
const SIGNATURE =
  /(?<name>[\p{L}_$][\p{L}\p{N}_.$]*\([^()]{0,80}\))\s*(?:(?<does>(?:always |never )?(?:must return|should return|returns?|resolves? to|resolves with|gives back|yields?|takes?|accepts?|emits?))\s+|(?:->|→|=>|:)\s*)(?<what>(?!null\b|undefined\b|nothing\b|NaN\b|\d{3}\b|an? (?:error|exception)|the wrong|garbage|empty)[^.;]{2,100})/iu
/** Words that point at what is at hand; a list of them is no structure. */
const NO_PART =
  /^(?:it|this|that|them|i|we|you|he|she|they|is|are|not|no|some|many|lots|more|much|error|errors|bugs?|problems?|issues?)\b/i

/** How things are cut: the tables of a schema, the columns of a table, the parts of a whole, and what a function takes and returns. */
export function readStructures(clause: Clause): Finding[] {
  const { shape } = clause
  if (isReport(shape)) return []
  const signature = SIGNATURE.exec(shape)?.groups
  if (signature !== undefined)
    return [
      found(
        clause,
        `fact:${slug(signature.name?.replace(/\(.*$/, '') ?? '', 4)}`,
        `${signature.name} ${signature.does ?? '→'} ${signature.what}`,
      ),
    ]
  for (const frame of FRAMES) {
    const { name = '', list = '' } = frame.exec(shape)?.groups ?? {}
    const items = list.split(/\s*(?:[,、，和与と&]|\s(?:and|plus|und|y|et|e|и)\s)\s*/u).filter(Boolean)
    if (items.length < 2 || items.some((item) => NO_PART.test(item))) continue
    // A list of technologies is a list of choices.
    if (items.every((item) => slotOfValue(item) !== undefined)) continue
    return [found(clause, `schema:${nameOf(name)}`, list)]
  }
  return []
}

/** "the Postgres schema" is the schema of the project: what it is kept in is said elsewhere. */
function nameOf(name: string): string {
  let bare = name
  for (const { start, end } of [...findTechnologies(name)].reverse())
    bare = bare.slice(0, start) + bare.slice(end)
  return (
    slug(
      bare.replace(/\b(?:the|our|schema|table|collection|entity|model|type|struct|class|interface)\b/gi, ' '),
      3,
    ) || 'tables'
  )
}

function found({ start, end, reason }: Clause, slot: string, value: string): Finding {
  return {
    kind: 'choice',
    slot,
    value: value.replace(/\s+/g, ' ').replace(/[\s.,;:!]+$/, ''),
    area: '',
    start,
    end,
    isChange: false,
    ...(reason !== undefined && { reason }),
  }
}
