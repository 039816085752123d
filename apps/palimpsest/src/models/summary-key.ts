import type { Config } from '@palimpsest/core/discovery'

export type SummaryBlock = Config['auxiliary']['compression']

interface SummaryKey {
  readonly apiKey?: string
  readonly variable?: string
  readonly notice?: string
}

const REFERENCE = /^\$\{(\w+)\}$/

/**
 * The key that the block names, else that of the provider's variable.
 *
 * @param variable the provider's; undefined where there is none.
 * @param block the place of the block in `config.yaml`.
 */
export function summaryKey(
  { api_key: written, key_env: named }: SummaryBlock,
  variable: string | undefined,
  environment: NodeJS.ProcessEnv,
  block: string,
): SummaryKey {
  const reference = written === undefined ? named : REFERENCE.exec(written)?.[1]
  const read = reference ?? (written === undefined ? variable : undefined)
  if (read !== undefined) {
    const apiKey = environment[read]?.trim()
    return { variable: read, ...(apiKey && { apiKey }) }
  }
  if (written === undefined) return {}
  const example = variable ?? 'SUMMARY_API_KEY'
  return {
    apiKey: written,
    notice: `${block}.api_key is a key in a file: set it as ${example} in the environment, and write api_key: \${${example}}`,
  }
}
