import { count, counted } from '../../count.ts'
import type { ChatCosts, ChatStatus } from '../chat-agent.ts'
import { dollars, rows } from '../texts.ts'
import type { ChatCommand } from './chat-command.ts'

/** Characters of one value of an engine's own status. */
const DETAIL_LENGTH = 200

export const statusCommand: ChatCommand = {
  name: 'status',
  help: 'session, engine, tokens and compactions',
  async run(_argument, { agent, print }) {
    print(renderStatus(await agent.status()))
  },
}

function renderStatus(status: ChatStatus): string {
  const { id, engine, model, messages, turns, promptTokens, threshold, window, compactions, file } = status
  const details = Object.entries(status.details).map(([name, value]) => [words(name), detail(value)] as const)
  return rows([
    ['session', id],
    ['engine', engine],
    ['model', model],
    ['said', `${counted(messages, 'message')} in ${counted(turns, 'turn')}`],
    ['last prompt', promptTokens === 0 ? 'none yet' : `${count(promptTokens)} tokens`],
    ['compacts from', `${count(threshold)} tokens`],
    ['window', `${count(window)} tokens`],
    ['compactions', count(compactions)],
    ['kept in', file],
    ...details,
  ])
}

/** `lastPromptTokens` as `last prompt tokens`. */
function words(name: string): string {
  return name.replace(/([a-z])([A-Z])|_/g, (_match, end = '', start = '') => `${end} ${start.toLowerCase()}`)
}

function detail(value: unknown): string {
  if (typeof value === 'number') return count(value)
  if (typeof value === 'object' && value !== null)
    return bounded(
      Object.entries(value)
        .map(([name, inner]) => `${words(name)} ${typeof inner === 'object' ? JSON.stringify(inner) : inner}`)
        .join(', '),
    )
  return bounded(String(value ?? '-'))
}

function bounded(text: string): string {
  return text.length > DETAIL_LENGTH ? `${text.slice(0, DETAIL_LENGTH)}…` : text
}

export const costsCommand: ChatCommand = {
  name: 'costs',
  help: 'requests, tokens and what they cost, since this program started',
  run: (_argument, { agent, print }) => print(renderCosts(agent.costs())),
}

function renderCosts({
  requests,
  promptTokens,
  cachedTokens,
  completionTokens,
  usd,
  unreported,
}: ChatCosts): string {
  const share = promptTokens === 0 ? 0 : Math.round((100 * cachedTokens) / promptTokens)
  return rows([
    ['requests', count(requests)],
    ['prompts', `${count(promptTokens)} tokens`],
    ['cached', `${count(cachedTokens)} tokens (${share} % of the prompts)`],
    ['answers', `${count(completionTokens)} tokens`],
    ['cost', usd === null ? "not known: the model's prices are not" : dollars(usd)],
    ...(unreported === 0
      ? []
      : [['not counted', `${count(unreported)} requests whose usage was not reported`] as const]),
  ])
}
