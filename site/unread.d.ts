/** Stands in the reference for packages of others, of which it shows no more than this name. See `build-api.ts`. */
export class OpenAI {}
