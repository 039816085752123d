import { InvalidOptionError } from '@palimpsest/core'
import * as z from 'zod'
import { MAX_QUERY_CHARACTERS } from '../search/parse-query.ts'
import { searchMessages } from '../search/search-messages.ts'
import { searchSummaries } from '../search/search-summaries.ts'
import type { MessageSearchQuery } from '../search/search-types.ts'
import { MAX_CONTEXT_LINES } from '../search/snippet.ts'
import { USUAL_CHARACTERS } from './answer-limits.ts'
import { messageHits, summaryHits } from './grep-answer.ts'
import { parseMessageNumber, parseTime } from './refs.ts'
import { choice, choices, flag, integer, readArguments, reference, toolSchema } from './tool-arguments.ts'
import type { ToolContext } from './tool-context.ts'

const argumentSchema = z.object({
  query: z
    .string()
    .describe(
      'What to find. Mode "text": words that must all occur in one message; foo* matches a beginning, "a phrase" ' +
        `exactly that. At most ${MAX_QUERY_CHARACTERS} characters.`,
    ),
  mode: choice(
    ['text', 'substring', 'regex'],
    '"text" (default): all words, in any order. "substring": the query exactly as it is. "regex": JavaScript syntax.',
  ),
  scope: choice(
    ['messages', 'summaries', 'both'],
    'Where to look: "messages" (default), "summaries" or "both". Messages hold every detail.',
  ),
  roles: choices(['user', 'assistant', 'tool', 'system', 'developer'], 'Only these roles. Default: all.'),
  since: reference('Only from this time on: ISO 8601, or milliseconds since the epoch.'),
  before: reference('Only before this time: ISO 8601, or milliseconds since the epoch.'),
  first: reference('Only from this message on, such as "m57".'),
  last: reference('Only up to this message, such as "m99".'),
  order: choice(['newest', 'oldest'], '"newest" (default) or "oldest" first.'),
  limit: integer(1, 50, 'Hits, 1 to 50. Default 10.'),
  context: integer(0, MAX_CONTEXT_LINES, 'Lines to show around each match, 0 to 5. Default 0.'),
  cursor: reference('"next" of the previous answer, to go on with the same query.'),
  ignore_case: flag('Mode "regex" only; the other modes ignore case. Default true.'),
  include_replaced: flag('Also messages that an edit of the history replaced. Default false.'),
})

/** What a model is told about `lcm_grep`. */
export const lcmGrepSchema = toolSchema(
  'lcm_grep',
  'Searches the whole conversation, also what is no longer shown: texts, tool calls with their arguments, tool ' +
    'results. Use it first to find a name, path, value, error or decision. Each hit has an id to read with lcm_expand. ' +
    '"complete": true means that everything asked for was searched, so no hits means that it is not there. Answers ' +
    'have at most 20,000 characters; "next" is the cursor for more.',
  argumentSchema,
)

/** Searches messages and summaries. */
export async function lcmGrep(args: unknown, context: ToolContext): Promise<object> {
  const { scope = 'messages', ...given } = readArguments(argumentSchema, args)
  const query = readQuery(given)
  const { session } = context
  const messages = (characters: number) =>
    fit(query, characters, async (fitted) => messageHits(await searchMessages(session, fitted, context)))
  const summaries = (characters: number) =>
    fit(query, characters, async (fitted) => summaryHits(await searchSummaries(session, fitted, context)))
  if (scope === 'messages') return messages(USUAL_CHARACTERS)
  if (scope === 'summaries') return summaries(USUAL_CHARACTERS)
  if (query.cursor !== undefined) {
    throw new InvalidOptionError(
      'cursor',
      'a cursor goes on with one list: use scope "messages" or "summaries" with it',
    )
  }
  return { messages: await messages(USUAL_CHARACTERS / 2), summaries: await summaries(USUAL_CHARACTERS / 2) }
}

/** Asks for fewer hits when those that came are too long, so that "next" and "scanned" agree with what is shown. */
async function fit<Page extends { readonly hits: readonly object[] }>(
  query: MessageSearchQuery,
  characters: number,
  search: (query: MessageSearchQuery) => Promise<Page>,
): Promise<Page> {
  const page = await search(query)
  let size = 0
  const fitting = page.hits.findIndex((hit) => {
    size += JSON.stringify(hit).length
    return size > characters
  })
  return fitting < 0 ? page : search({ ...query, limit: Math.max(1, fitting) })
}

function readQuery(given: Omit<z.output<typeof argumentSchema>, 'scope'>): MessageSearchQuery {
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
    ...(includeReplaced !== undefined && { includeReplaced }),
  }
}
