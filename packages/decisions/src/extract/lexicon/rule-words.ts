/** What things of a kind do by rule, in the plural of the present: "API errors return problem+json". */
const NORM_VERB = `live go return use need require follow start end begin stay get have carry include contain come belong run take
  inherit extend ship land read write respond sit fit keep match mirror mention reference wear bear share state name sort expire import
  export throw raise accept expose emit send receive store log validate support cover link point depend implement render load call
  open close fail retry cite show declare define describe describe target default`

/** "Tests live next to the code": a bare plural, and what its members do. */
export const GENERIC_PLURAL = new RegExp(
  String.raw`^(?:\W*(?:and|also|so|then|ok|plus)[,:]?\s+)*(?:(?!(?:the|this|that|these|those|my|your|his|her|their|our|it|its|i|we|you|they|he|she|there|here|what|who|some|many|most|few|several|both|logs?|lots|yes|thanks|customers|users|people|colleagues|docs|things|guys|is|was|does|always|sometimes|perhaps|this|us|as|unless|always|\d+)\b)[\p{L}\d-]+\s+){0,2}(?!(?:this|thanks|yes|us|as|customers|users|people|colleagues|docs|things|guys|does|is|was|has|always|sometimes|perhaps|unless|lots|its|less|pass|its|process|access|address|success)\b)[\p{L}-]{2,}s\s+(?:(?:should|must|may|can)\s+)?(?:always\s+|never\s+|only\s+|also\s+|all\s+)?(?:${NORM_VERB.trim().split(/\s+/).join('|')}|are\s+(?:never\s+|always\s+|only\s+|not\s+)?(?:\p{L}+-(?:only|first|free|safe|driven|scoped|compatible|based|sensitive|insensitive)|idempotent|immutable|stateless|mandatory|optional|private|internal|readonly|pure|nullable|deterministic|synchronous|asynchronous|lower ?case|upper ?case|singular|plural|sorted|unique|enough)(?=[\s.,;!]|$).*|are\s+(?:never\s+|always\s+|only\s+|not\s+)?(?!(?:\w+ing|done|gone|broken|failed|missing|supposed|related|based|confused|stuck|used|affected|needed|expected|allowed)\b)\p{L}+(?:ed|en|wn|lt|ft|pt|de|ut|nt)(?=[\s.,;!]|$))(?:\s+\S|\s*[.!]?$)`,
  'iu',
)

/** "Every endpoint needs auth", "no branch lives longer than a week". */
export const UNIVERSAL =
  /^(?:\W*(?:and|also|so|then|ok|plus|but)[,:]?\s+)*(?:every|each|all|any|no|nobody|no one|only)\s+(?!(?:good|done|right|set|of (?:this|that|it)|that|this|idea|problem|worries|need|way|change|changes|time|thanks|green|clear|kidding|luck|one (?:knows|cares)|i|we|you|tests? (?:pass|passed|fail|failed|are)|the (?:tests|best))\b)(?:[\p{L}\d'-]+\s+){0,4}?[\p{L}\d'-]+\s+(?:(?:must|may|should|shall|can)\s+(?:not\s+|only\s+|never\s+)?\p{L}+|is|are|has|have|gets?|needs?|requires?|goes|go|uses|lives?|comes?|carries|starts?|ends?|returns?|follows?|touches|leaves|enters|runs?|passes|ships?|merges|deploys|pushes|edits|writes|reads|commits|changes|belongs?)\s+\S/iu

/** "Personal data must not leave the EU region": any subject but a pronoun of things at hand. */
export const OBLIGATION =
  /^(?:\W*(?:and|also|so|then|ok|plus|but|note|important|rule|remember|please)[,:]?\s+)*(?:(?:it|this|that) (?:must not|mustn't|may not|may only|must only|must never|shall not) (?!have)\p{L}+|(?:(?!(?:it|this|that|there|he|she|they|i|something|someone|what|which|where|who|if|when)\b)[\p{L}\d'/._-]+\s+){1,6}?(?:must|must not|mustn't|may not|may only|shall|shall not|can only|cannot|can never|should never|should always|has to|have to|needs to|need to)\s+(?!(?:have (?:been|\w+ed)|be (?:\w+ing|wrong|missing|broken|a (?:bug|mistake|typo)|down|kidding|joking|something|related|because|due|the (?:reason|case|problem))|not have|see|know|admit|say|wonder|check|find|figure|look|think|understand|be able)\b)\p{L}+)/iu

/** A ban of something in general; "don't run it yet" is about the moment. */
export const GENERAL_BAN = new RegExp(
  String.raw`^(?:\W*(?:and|also|so|but|ok|please|pls|plus)[,:]?\s+)*(?:do not|don't|never|avoid|no more|we do not|we don't|we never|you do not|you don't|nobody should|no one should)\s+(?:ever\s+|\p{L}+ly\s+)?(?!(?:worry|mind|forget|bother|hesitate|know|understand|think|see|care|panic|stress|do|start|tell|ask|want|like|need|believe|remember|feel|get|have|be|say|mean|trust|look|hear|agree|wait|even|really|actually|just|try|also|make sure)\b)[\p{L}-]{2,}\s+(?!(?:it|this|that|these|those|them|him|her|me|us|the|my|your|his|there|here|anything|everything|too|so|yet|again|now|until|unless|if|more|much|all|what|why|how|sense|worry)\b)[\p{L}\d"'/.*@_-]+(?!.*\b(?:yet|for now|right now|this time|today|at the moment|just now|until (?:i|we|tomorrow|monday)|the (?:above|following|last|current))\b)`,
  'iu',
)

/** "before every commit", "in each pull request": done again and again. */
export const RECURRING =
  /\b(?:before|after|on|for|with|in|at|to)\s+(?:every|each|any)\s+(?:single\s+|new\s+)?(?:commit|push|merge|release|deploy\w*|pull request|pr|change|migration|endpoint|test|module|package|component|file|function|function|class|feature|branch|request|response|screen|page|build|service|table|script|notebook|experiment|run|dataset|figure|release|version|sprint|ticket|issue|answer|reply|message|job|query|query|upload|sensor|reading|boot|restart|device|event|method|type|public \w+|exported \w+)\b/i

/** Norms in other languages: bans, and what holds for all or for none of a kind. */
export const NORM_ELSEWHERE =
  /^(?:\W*(?:und|et|y|e|и|bitte|por favor|s'il te plaît|пожалуйста)[,:]?\s+)*(?:(?:keine?[nrsm]?|niemand|jede[rsmn]?|alle|nur|nie)\s+\p{L}+|(?:pas de|pas d'|aucune?|chaque|tous les|toutes les|personne ne|ne\s+\p{L}+\s+(?:pas|jamais)|n'\p{L}+\s+(?:pas|jamais))\s*\p{L}+|(?:nada de|ningún|ninguna|nadie|cada|todos los|todas las|no se)\s+\p{L}+|(?:nada de|nenhum|nenhuma|ninguém|cada|todos os|todas as|todo|toda|não se)\s+\p{L}+|(?:никаких|никто|ни один|ни одна|каждый|каждая|каждое|все|всё|только|не\s+\p{L}+(?:ть|ем|им|йте|ите|уй|ай|и))\s+\p{L}+)|(?<!\p{L})(?:(?:darf|dürfen|muss|müssen|soll|sollen)\s.*\p{L}+|(?:doit|doivent|ne (?:doit|doivent|peut|peuvent))\s+\p{L}+|(?:debe|deben|tiene que|tienen que|no puede|no pueden)\s+\p{L}+|(?:deve|devem|tem que|têm que|precisa|precisam|não pode|não podem)\s+\p{L}+|(?:должен|должна|должно|должны|не должен|не должна|не должны)\s+\p{L}+)|^(?:请|所有|每个|每次|每一|任何)|(?:不要|不许|不能|不可以|不准|别|只能|都要|都得|都必须|都用)(?!紧)|(?:すべて|全て|全部)の|(?:しないで|しないこと|てはいけ|てはなら|べき|こと[。]?$|(?:て|で)ください[。]?$)|(?:모든|매번|항상)\s|(?:하지 ?마|하면 안|해야 ?(?:한다|합니다|해|함)|만 (?:사용|쓰))/iu
