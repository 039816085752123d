import { count } from '../../count.ts'
import type { ChatCosts } from '../chat-agent.ts'
import { dollars } from '../terminal/dollars.ts'
import type { ChatCommand } from './chat-command.ts'
import { rows } from './rows.ts'

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
