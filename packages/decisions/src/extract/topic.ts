const TOPIC_STOP =
  /^(?:the|a|an|we|you|i|to|of|for|in|on|and|or|is|are|do|does|should|would|could|can|will|want|like|here|there|these|those|this|that|it|how|what|which|where|options?|choices?|alternatives?|approaches|ways|following|few|two|three|several|some|possible|have|has|us|me|your|our|my|with|be|as|handle|prefer|go|pick|choose|one|see|suggest|consider|at|by)$/

/** What a question or the head of a list is about: its first words that say something, joined by hyphens. */
export function topicOf(lead: string): string {
  return lead
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !TOPIC_STOP.test(word))
    .slice(0, 4)
    .join('-')
}
