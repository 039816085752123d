import { lazily } from '@palimpsest/core/options'
import anthropic from './data/anthropic.json' with { type: 'json' }
import deepseek from './data/deepseek.json' with { type: 'json' }
import gemini from './data/gemini.json' with { type: 'json' }
import openai from './data/openai.json' with { type: 'json' }
import qwen from './data/qwen.json' with { type: 'json' }
import { parsePricing } from './parse-pricing.ts'
import type { PricingData } from './pricing-data.ts'

/** The models that this package knows, as of the day that each file and model names. */
export const pricingData: () => PricingData = lazily(() =>
  parsePricing([anthropic, openai, gemini, deepseek, qwen]),
)
