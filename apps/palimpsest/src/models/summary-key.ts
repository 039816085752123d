import type { Config } from '@palimpsest/core/discovery'

export type SummaryBlock = Config['auxiliary']['compression']

interface SummaryKey {
  readonly apiKey?: string
  readonly variable?: string
  readonly notice?: string
}

const REFERENCE = /^\$\{(\w+)\}$/

/**
 * The key in the block, else in the provider's variable.
 *
 * @param variable The provider's; undefined without one.
 * @param block The block's path in `config.yaml`.
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
