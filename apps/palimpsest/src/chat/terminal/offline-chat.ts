/** What a chat without a model is, and how to get one. */
export const OFFLINE_CHAT =
  'No model is configured, so nothing is written here: answers quote the lines of the conversation that share words ' +
  'with your question, from the context that a model would see, and no tool is called. To talk to a model, set ' +
  'GEMINI_API_KEY or OPENAI_API_KEY, or name one behind an OpenAI-compatible address: ' +
  'palimpsest chat --base-url http://127.0.0.1:11434/v1 --model <name>.'
