import { InvalidOptionError, type ToolSchema } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { searchMessages } from '../search/search-messages.ts'
import { type SummarySearchResult, searchSummaries } from '../search/search-summaries.ts'
import type {
  MessageHit,
  MessageSearchQuery,
  SearchQuery,
  SearchResult,
  SummaryHit,
} from '../search/search-types.ts'
import { MAX_CONTEXT_LINES } from '../search/snippet.ts'
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

/** Characters of an answer beside its hits. */
const FRAME_CHARACTERS = 300

export const grepArguments = lazily(() =>
  z.object({
    query: z
      .string()
      .describe(
        '2 or 3 distinctive words of one message, not a question. foo* matches a beginning, "a phrase" exactly that.',
      ),
    mode: choice(
      ['text', 'substring', 'regex'],
      'Default "text": words in any order. "substring": exactly the query. "regex": JavaScript.',
    ),
    scope: choice(['messages', 'summaries', 'both'], 'Default "messages": they hold every detail.'),
    roles: choices(['user', 'assistant', 'tool', 'system', 'developer'], 'Default: all.'),
    since: reference('From this time on: ISO 8601, or milliseconds since the epoch.'),
    before: reference('Before this time.'),
    first: reference('From this message on, such as "m57".'),
    last: reference('Up to this message.'),
    order: choice(
      ['newest', 'oldest', 'relevance'],
      'Default "newest". "relevance": the best first, with some of the words at least.',
    ),
    limit: integer(1, 50, 'Hits, 1 to 50; default 10.'),
    context: integer(0, MAX_CONTEXT_LINES, 'Lines around each match, 0 to 5; default 0.'),
    cursor: reference('"next" of the previous answer, with the same query.'),
    ignore_case: flag('For "regex"; default true.'),
    include_replaced: flag('Also messages that an edit of the history replaced; default false.'),
  }),
)

const schemas = [lazily(() => schemaOf(false)), lazily(() => schemaOf(true))] as const

export const lcmGrepSchema = (hidesReplaced: boolean): ToolSchema => schemas[hidesReplaced ? 1 : 0]()

const schemaOf = (hidesReplaced: boolean) =>
  toolSchema(
    'lcm_grep',
    'Searches the whole conversation, also what is no longer shown: texts, tool calls, results. Use it first to find a ' +
      'name, path, value, error or decision. Messages with all words come newest first; if none has all, the best with ' +
      'some ("has"). Read a hit with lcm_expand, its id and "offset". "complete": no other message matches',
    hidesReplaced ? grepArguments().omit({ include_replaced: true }) : grepArguments(),
  )

/** Searches messages and summaries. */
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

/** Asks for fewer hits when those that came are too long, so that "next" and "scanned" agree with what is shown. */
async function fit<Page extends { readonly hits: readonly object[] }>(
  query: MessageSearchQuery,
  characters: number,
  search: (query: MessageSearchQuery) => Promise<Page>,
): Promise<Page> {
  const page = await search(query)
  const { length } = fitting(page.hits, characters - FRAME_CHARACTERS)
  if (length === page.hits.length) return page
  return search({ ...query, limit: length, ...(length === 1 && { context: 0 }) })
}

/** The query that the arguments mean. */
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
 * Bounds between which there can be nothing are a slip, not a question.
 *
 * @throws InvalidOptionError that says what there is.
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

/** A page of hits in messages as `lcm_grep` answers it. */
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
    hits: result.hits.map((hit) => ({
      ref: messageRef(hit.seq),
      role: labelText(hit.role),
      time: timeText(hit.at),
      ...(hit.terms !== undefined && { has: hit.terms }),
      ...match(hit),
      offset: hit.offset,
      summary: hit.summary === null ? null : summaryRef(hit.summary),
      ...(hit.replaced && { replaced: true }),
    })),
  }
}

/** A page of hits in summaries as `lcm_grep` answers it. */
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
      ...match(hit),
    })),
  }
}

function match({ matches, line, snippet, context }: MessageHit | SummaryHit) {
  return { matches, line, snippet, ...(context !== undefined && { context }) }
}

const NOTHING = 'nothing has all of these words; try fewer or others, or lcm_expand_query for a question'
const RANKED = 'no message has all of these words; these have some of them, the best first; "has" says which'

/** The answer without its hits: a model has to know it even if it reads no further. */
function frame<Scanned extends object>(result: Omit<SearchResult<object>, 'scanned'>, scanned: Scanned) {
  const { complete, next, matched, order, stopped, hits } = result
  const hint = order !== undefined ? RANKED : hits.length === 0 && complete ? NOTHING : undefined
  return {
    complete,
    next,
    ...(stopped !== undefined && { stopped }),
    matched,
    ...(order !== undefined && { order }),
    ...(hint !== undefined && { hint }),
    scanned,
  }
}
