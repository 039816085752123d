import {
  type CacheProfile,
  findProfile,
  PROFILES,
  type ProfileData,
  UnknownModelError,
} from '@palimpsest/prompt-caching'

/** The profile of a model as hosts name it, `gemini:<name>` included; undefined when its prices are not known. */
export function knownProfile(model: string, data: ProfileData = PROFILES): CacheProfile | undefined {
  try {
    return findProfile({ model, data })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return undefined
    throw error
  }
}
