import { InvalidOptionError, type ToolSchema } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { searchMessages } from '../search/search-messages.ts'
import { type SummarySearchResult, searchSummaries } from '../search/search-summaries.ts'
import {
  type MessageHit,
  type MessageSearchQuery,
  PASSAGE_CHARACTERS,
  type SearchQuery,
  type SearchResult,
} from '../search/search-types.ts'
import {
  labelText,
  messageRef,
  parseMessageNumber,
  parseTime,
  rangeRef,
  summaryRef,
  timeText,
} from './refs.ts'
import { choice, choices, flag, integer, reference } from './tool-arguments.ts'
import { fitting, type ToolContext, USUAL_CHARACTERS } from './tool-context.ts'

const MAX_CONTEXT = 10
/** Limits of an answer: about 800 tokens for a few words, 1,200 for a question. */
const HITS = 10
const ROOM = { words: 3_200, question: 4_800 }
const QUESTION_WORDS = 5
const SPARE_HITS = 3
const LONGEST = 1_200
const FRAME_CHARACTERS = 300

export const grepArguments = lazily(() =>
  z.object({
    query: z
      .string()
      .describe(
        '2 or 3 distinctive words, or a question. Other forms of a word count too; "a phrase" means exactly that, foo* a beginning.',
      ),
    mode: choice(
      ['text', 'substring', 'regex'],
      'Default "text": words in any order. "substring": exactly the query. "regex": JavaScript, case-sensitive.',
    ),
    scope: choice(['messages', 'summaries', 'both'], 'Default "messages": they hold every detail.'),
    roles: choices(['user', 'assistant', 'tool', 'system', 'developer'], 'Default: all.'),
    since: reference('From this date on, such as "2026-01-31".'),
    before: reference('Before this date.'),
    first: reference('From this message on, such as "m57".'),
    last: reference('Up to this message.'),
    order: choice(
      ['newest', 'oldest', 'relevance'],
      'Default "relevance": the best first, with some of the words at least. Else messages with all of them.',
    ),
    limit: integer(1, 50, 'Hits, 1 to 50. Default: at most 10, about 900 tokens.'),
    context: integer(0, MAX_CONTEXT, 'Messages around each hit, 0 to 10. Default: about 400 characters.'),
    cursor: reference('"next" of the previous answer, with the same query.'),
    ignore_case: flag('For "regex"; default false.'),
    include_replaced: flag('Also messages that an edit of the history replaced; default false.'),
  }),
)

const schemas = [lazily(() => schemaOf(false)), lazily(() => schemaOf(true))] as const

export const lcmGrepSchema = (hidesReplaced: boolean): ToolSchema => schemas[hidesReplaced ? 1 : 0]()

const schemaOf = (hidesReplaced: boolean) =>
  toolSchema(
    'lcm_grep',
    'Searches the whole conversation, also what is no longer shown: texts, tool calls, results. Use it before you say that ' +
      'you do not know something, and before you ask again. It shows the best passages, word for word, with what was said ' +
      'around them, so that one call answers most questions. lcm_expand reads on. "absent": words that occur nowhere. ' +
      '"complete": no other message matches.',
    hidesReplaced ? grepArguments().omit({ include_replaced: true }) : grepArguments(),
  )

export async function lcmGrep(args: unknown, context: ToolContext): Promise<object> {
  const { scope = 'messages', ...given } = readToolArguments(grepArguments(), args)
  const query = grepQuery(given, context)
  if (scope === 'both' && query.cursor !== undefined) {
    throw new InvalidOptionError(
      'cursor',
      'a cursor goes on with one list: use scope "messages" or "summaries" with it',
    )
  }
  const { session } = context
  const messages = (characters: number) =>
    fit(query, characters, async (fitted) => messageHits(await searchMessages(session, fitted, context)))
  const summaries = (characters: number) =>
    fit(query, characters, async (fitted) => summaryHits(await searchSummaries(session, fitted, context)))
  await checkBounds(query, context)
  if (scope === 'messages') return messages(USUAL_CHARACTERS)
  if (scope === 'summaries') return summaries(USUAL_CHARACTERS)
  const half = USUAL_CHARACTERS / 2
  return { messages: await messages(half), summaries: await summaries(half) }
}

/**
 * Requests fewer hits if they are too long, so that "next" and "scanned" match the shown ones, and longer passages if
 * there are few.
 */
async function fit<Page extends { readonly hits: readonly object[] }>(
  query: MessageSearchQuery,
  characters: number,
  search: (query: MessageSearchQuery) => Promise<Page>,
): Promise<Page> {
  const isQuestion = query.query.trim().split(/\s+/).length >= QUESTION_WORDS
  const usual = isQuestion ? ROOM.question : ROOM.words
  const room = query.limit === undefined ? Math.min(characters, usual) : characters - FRAME_CHARACTERS
  const page = await search({ limit: HITS, ...query })
  const { length } = fitting(page.hits, room)
  if (length < page.hits.length) {
    let best = await search({ ...query, limit: length, ...(length === 1 && { context: 0 }) })
    for (let limit = length + 1; limit <= length + SPARE_HITS; limit++) {
      const more = await search({ ...query, limit })
      if (JSON.stringify(more.hits).length > room) break
      best = more
    }
    return best
  }
  const share = Math.min(LONGEST, Math.floor(ROOM.words / Math.max(1, length)))
  if (share < 1.5 * PASSAGE_CHARACTERS || length === 0) return page
  return search({ limit: HITS, ...query, characters: share })
}

export function grepQuery(
  given: Omit<z.output<ReturnType<typeof grepArguments>>, 'scope'>,
  { hidesReplaced }: Pick<ToolContext, 'hidesReplaced'>,
): MessageSearchQuery {
  const { query, mode, roles, since, before, first, last, order, limit, context, cursor } = given
  const { ignore_case: ignoreCase, include_replaced: includeReplaced } = given
  return {
    query,
    ...(mode !== undefined && { mode }),
    ...(roles !== undefined && roles.length > 0 && { roles }),
    ...(since !== undefined && { since: parseTime(since, 'since') }),
    ...(before !== undefined && { before: parseTime(before, 'before') }),
    ...(first !== undefined && { first: parseMessageNumber(first, 'first') }),
    ...(last !== undefined && { last: parseMessageNumber(last, 'last') }),
    ...(order !== undefined && { order }),
    ...(limit !== undefined && { limit }),
    ...(context !== undefined && { context }),
    ...(cursor !== undefined && { cursor }),
    ...(ignoreCase !== undefined && { ignoreCase }),
    ...(includeReplaced !== undefined && !hidesReplaced && { includeReplaced }),
  }
}

/**
 * Bounds that exclude everything are a mistake of the model.
 *
 * @throws InvalidOptionError that names the valid range.
 */
async function checkBounds(
  { first, last, since, before }: SearchQuery,
  { session }: ToolContext,
): Promise<void> {
  if (since !== undefined && before !== undefined && since >= before) {
    throw new InvalidOptionError(
      'since',
      `"since" (${timeText(since)}) must be earlier than "before" (${timeText(before)})`,
    )
  }
  if (first === undefined) return
  if (last !== undefined && first > last) {
    throw new InvalidOptionError(
      'first',
      `"first" (${messageRef(first)}) comes after "last" (${messageRef(last)}); messages are numbered from the oldest`,
    )
  }
  const { nextSeq } = await session.head()
  if (nextSeq === 0 || first < nextSeq) return
  throw new InvalidOptionError(
    'first',
    `there is no ${messageRef(first)} to begin at; messages go from m0 to ${messageRef(nextSeq - 1)}`,
  )
}

/** The answer of `lcm_grep` for hits in messages. */
export function messageHits(result: SearchResult<MessageHit>) {
  const { messages, from, to } = result.scanned
  const { replacedNotSearched: left } = result
  return {
    ...frame(result, {
      messages,
      from: from === null ? null : messageRef(from),
      to: to === null ? null : messageRef(to),
    }),
    ...(left !== undefined && { replaced_not_searched: left }),
    hits: result.hits.map(passageHit),
  }
}

function passageHit({ seq, at, offset, replaced, matching, passage }: MessageHit) {
  return {
    ref: messageRef(seq),
    time: timeText(at),
    ...(offset > 0 && { offset }),
    ...(replaced && { replaced }),
    ...(matching.length > 1 && { matches: matching.map(messageRef) }),
    text: passage.map((line) => `${messageRef(line.seq)} ${labelText(line.role)}: ${line.text}`).join('\n'),
  }
}

/** The answer of `lcm_grep` for hits in summaries. */
export function summaryHits(result: SummarySearchResult) {
  const { summaries, from, to } = result.scanned
  return {
    ...frame(result, {
      summaries,
      from: from === null ? null : summaryRef(from),
      to: to === null ? null : summaryRef(to),
    }),
    hits: result.hits.map((hit) => ({
      ref: summaryRef(hit.number),
      depth: hit.depth,
      covers: rangeRef(hit.first, hit.last),
      time: timeText(hit.at),
      text: hit.text,
    })),
  }
}

const NOTHING = 'nothing matches; try other words, fewer, or a question'

/** The hits come last in the answer, because a model may not read to its end. */
function frame<Scanned extends object>(result: Omit<SearchResult<object>, 'scanned'>, scanned: Scanned) {
  const { complete, next, matched, absent = [], stopped, hits } = result
  return {
    complete,
    next,
    ...(stopped !== undefined && { stopped }),
    ...(matched !== 'word' && { matched }),
    ...(absent.length > 0 && { absent }),
    ...(hits.length === 0 && complete && { hint: NOTHING }),
    scanned,
  }
}
