import { type Loose, looseOf, type ProviderData } from '@palimpsest/core'
import { providerDataOf, withoutUndefined, withProviderData } from '@palimpsest/provider-utils'

/**
 * Members of the AI SDK's messages and parts that the wire shape has no word for. They stand under
 * `providerData['ai-sdk']`, beside whatever other hosts keep there.
 */
export interface AiSdkData {
  /** As they were: signatures, cache markers, ids of the provider. */
  readonly providerOptions?: unknown
  /** Members that this version does not know. */
  readonly rest?: Loose
}

const KEY = 'ai-sdk'

/** The data of this package on a message, a part or a call; empty when there are none. */
export function aiSdkData(holder: unknown): Loose {
  return providerDataOf(holder, KEY)
}

/** The field `providerData` for these data, or nothing when there are none. */
export function withAiSdkData(data: Loose): { readonly providerData?: ProviderData } {
  return withProviderData(KEY, data)
}

/** The unknown members of a holder of the AI SDK, as data of this package. */
export function extrasOf({ providerOptions, ...rest }: Loose): AiSdkData {
  const known = withoutUndefined(rest)
  return {
    ...(providerOptions !== undefined && { providerOptions }),
    ...(Object.keys(known).length > 0 && { rest: known }),
  }
}

/** The reverse of `extrasOf`, to be spread into a part or a message. */
export function restoreExtras({ providerOptions, rest }: Loose): Loose {
  return { ...looseOf(rest), ...(providerOptions !== undefined && { providerOptions }) }
}
