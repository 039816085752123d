import { type Loose, looseOf, type ProviderData } from '@palimpsest/core'
import { providerDataOf, withoutUndefined, withProviderData } from '@palimpsest/provider-utils'

/**
 * Members of the AI SDK's messages and parts without a place in the wire shape, kept under `providerData['ai-sdk']`.
 */
export interface AiSdkData {
  readonly providerOptions?: unknown
  readonly rest?: Loose
}

const KEY = 'ai-sdk'

export function aiSdkData(holder: unknown): Loose {
  return providerDataOf(holder, KEY)
}

export function withAiSdkData(data: Loose): { readonly providerData?: ProviderData } {
  return withProviderData(KEY, data)
}

export function extrasOf({ providerOptions, ...rest }: Loose): AiSdkData {
  const known = withoutUndefined(rest)
  return {
    ...(providerOptions !== undefined && { providerOptions }),
    ...(Object.keys(known).length > 0 && { rest: known }),
  }
}

export function restoreExtras({ providerOptions, rest }: Loose): Loose {
  return { ...looseOf(rest), ...(providerOptions !== undefined && { providerOptions }) }
}
