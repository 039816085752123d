/** Words that take up what was proposed. */
export const YES = new RegExp(
  String.raw`^\W*(?:k|kk|yup|yes pls|(?:(?:ok|okay|okey|hm+|ah|oh|well|great|perfect|nice|cool)[,.! ]+)*(?:yes|yeah|yea|yep|yup|sure|ok|okay|absolutely|definitely|of course|go ahead|go for it|do it|do that|do so|do all|sounds (?:good|great|fine|right|perfect|reasonable)|looks (?:good|great|fine)|lgtm|agreed|i agree|please do|that works|works for me|fine by me|fine with me|that's fine|approved|accepted|make it so|ship it|let's do (?:it|that|this)|let's go(?: with (?:that|it|this|your (?:suggestion|proposal|recommendation)))?|go with (?:that|it|this|your (?:suggestion|proposal|recommendation))|i like (?:it|that)|good (?:idea|call|plan|choice)|great (?:idea|call|plan)|exactly|correct|perfect|fine|alright|all right|sold|convinced|you convinced me|i'm in|makes sense|sounds like a plan|why not|by all means|be my guest|no objections?|fair enough|affirmative|wfm|good by me|yes to (?:both|all)|approve[ds]?|confirmed|sgtm|👍|✅|👌|\+1|deal|both|all of (?:them|it|the above))|` +
    String.raw`ja|jawohl|jep|genau|einverstanden|passt|klingt gut|machen wir so|mach das|so machen wir|in ordnung|oui|d'accord|ok pour|vas-y|ça marche|ça me va|parfait|très bien|s[ií]|vale|dale|de acuerdo|claro|perfecto|me parece bien|hazlo|adelante|sim|pode ser|pode|isso|combinado|perfeito|concordo|fechado|beleza)(?![\p{L}\p{N}])` +
    String.raw`|^\W*(?:да|давай(?:те)?|хорошо|согласен|согласна|ок|окей|отлично|договорились|пойд[её]т|звучит хорошо|好|可以|行|是的|没问题|同意|就这样|はい|お願い|了解|いいですね|それで|賛成|うん|ええ|네|예|좋아|좋습니다|그래|그렇게|동의|응)`,
  'iu',
)
/** "proceed with that". */
export const GO_ON = /\b(?:go ahead|proceed|go|continue) with (?:it|that|this|those|them)\b/i
/** Words that take up nothing. */
export const NO =
  /^\W*(?:no|nope|nah|not (?:that|really|now|yet)|don't|do not|neither|none|wait|stop|hold on|nein|non|нет|不|いいえ|아니)(?![\p{L}])/iu
/** What takes a yes back in part. */
export const REVERSED =
  /\b(?:but not|but (?:don't|no)|however|except|instead|not (?:sure|yet)|later|rather)\b/i
/** A bare "ok, now …" goes on to something else. */
export const MOVES_ON =
  /^\W*(?:ok|okay|great|perfect|nice|cool|good|right|alright)[,.! ]+(?:now|next|so|let's|i|we|what|how|why|can|could|should|is|are|the|there|but|and|then|show|run|try|fix|add|write|create|make|read|check|look|open|remove|delete|commit|push|explain|tell)\b(?! (?:do|go with|go for) (?:that|it|this|ahead))/i

/** Words for a place in a list; −1 is the last one. */
export const ORDINALS: readonly (readonly [RegExp, number])[] = [
  [
    /(?<!\p{L})(?:first|1st|former|erste[nrs]?|première?|primer[oa]?|primeir[oa]|перв\p{L}+)(?!\p{L})|第一|一つ目|一番目|첫 ?번째|첫째/iu,
    1,
  ],
  [
    /(?<!\p{L})(?:second|2nd|latter|zweite[nrs]?|deuxième|second[eoa]?|segund[oa]|втор\p{L}+)(?!\p{L})|第二|二つ目|二番目|두 ?번째|둘째/iu,
    2,
  ],
  [
    /(?<!\p{L})(?:third|3rd|dritte[nrs]?|troisième|tercer[oa]?|terceir[oa]|трет\p{L}+)(?!\p{L})|第三|三つ目|三番目|세 ?번째|셋째/iu,
    3,
  ],
  [
    /(?<!\p{L})(?:fourth|4th|vierte[nrs]?|quatrième|cuart[oa]|quart[oa]|четв[её]рт\p{L}+)(?!\p{L})|第四|네 ?번째/iu,
    4,
  ],
  [
    /(?<!\p{L})(?:last|letzte[nrs]?|dernière?|últim[oa]|последн\p{L}+)(?: one| option)(?!\p{L})|最后一个|最後/iu,
    -1,
  ],
]
/** "option 2", "B": an option by its label. */
export const PICK = new RegExp(
  String.raw`(?:\b(?:option|choice|number|variant|approach|möglichkeit|variante|opción|opção|вариант)|#|方案|选项|オプション|옵션)\s*[#(]?(?<named>[a-h]|\d{1,2})\b` +
    String.raw`|^\W*(?:(?:ok|okay|yes|yeah|sure|then|i'd say|i say|i'll take|i'd go with|i'll go with|let's (?:do|go with|go for|use|take)|go (?:with|for)|pick|take|use|choose|i (?:choose|pick|prefer|vote for))[,:]?\s+)*[(]?(?<bare>[a-h]|\d{1,2})[)]?(?:\s+(?:please|it is|then|for now|looks (?:good|best)|sounds (?:good|best)|is (?:good|fine|best|better)))?\s*(?:[.,!:;–—]|$|\s+(?:because|since|but|with)\b)`,
  'iu',
)
/** "the second sentence is wrong" picks nothing. */
export const ORDINAL_PICK =
  /(?:^\W*(?:(?:ok|okay|yes|yeah|sure|then)[,.]?\s+)*(?:the\s+)?|\b(?:go|going) (?:with|for) (?:the |your )?|\b(?:take|use|pick|choose|prefer|do|like|want|adopt|vote for)\s+(?:the |your )?)(?:first|second|third|fourth|last|former|latter|1st|2nd|3rd|4th)(?:\s+(?:one|option|approach|choice|suggestion|proposal|alternative|solution|variant))?(?=\s*(?:[.,!;–—]|$)|\s+(?:please|it is|then|because|since|but|with|for|and|instead|sounds|looks|is|works)\b)|(?:nehmen|nimm|lieber|lass uns|prenons|prends|choisis|la|le|el|elijo|usamos|vamos con|a|o|vamos com|давай|берем|берём|возьмем|возьмём|用|选|第|で|に|로|으로|째)/iu
