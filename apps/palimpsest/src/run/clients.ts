import { UsageError } from '../usage-error.ts'

interface Launch {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

interface LaunchInput {
  readonly url: string
  readonly environment: NodeJS.ProcessEnv
  readonly model: string | undefined
  readonly upstream: string
}

export interface Client {
  readonly package: string
  upstream(environment: NodeJS.ProcessEnv): string | undefined
  launch(input: LaunchInput): Launch
}

export type ClientName = 'claude' | 'codex' | 'opencode'

export const CLIENTS: Readonly<Record<ClientName, Client>> = {
  claude: {
    package: '@anthropic-ai/claude-code',
    upstream: ({ ANTHROPIC_BASE_URL: own }) =>
      `${(own || 'https://api.anthropic.com').replace(/(?<!\/)\/+$/, '')}/v1`,
    launch({ url, environment, upstream }) {
      // Claude Code sends all tool schemas to an unknown address, because many servers do not support references.
      const isAnthropic = /(?:^|\.)anthropic\.com$/.test(new URL(upstream).hostname)
      const search = isAnthropic && environment.ENABLE_TOOL_SEARCH === undefined
      return { args: [], env: { ANTHROPIC_BASE_URL: url, ...(search && { ENABLE_TOOL_SEARCH: 'true' }) } }
    },
  },
  codex: {
    package: '@openai/codex',
    upstream: () => 'https://api.openai.com/v1',
    launch({ url, environment }) {
      // Without a key in the environment, Codex sends its login's.
      const key = environment.OPENAI_API_KEY ? 'env_key="OPENAI_API_KEY"' : 'requires_openai_auth=true'
      const provider = `{name="Palimpsest",base_url="${url}/v1",wire_api="responses",${key}}`
      const settings = [`model_providers.palimpsest=${provider}`, 'model_provider="palimpsest"']
      return { args: settings.flatMap((setting) => ['-c', setting]), env: {} }
    },
  },
  opencode: {
    package: 'opencode-ai',
    upstream: () => undefined,
    launch({ url, model }) {
      if (model === undefined)
        throw new UsageError('which model of the upstream? Name it for opencode with --model <name>')
      const options = { baseURL: `${url}/v1`, apiKey: '{env:OPENAI_API_KEY}' }
      const provider = {
        npm: '@ai-sdk/openai-compatible',
        name: 'Palimpsest',
        options,
        models: { [model]: {} },
      }
      const config = { model: `palimpsest/${model}`, provider: { palimpsest: provider } }
      return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } }
    },
  },
}
