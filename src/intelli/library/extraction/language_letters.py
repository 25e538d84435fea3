"""Letters and common words of written languages, by which `charset` tells encodings apart."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WrittenLanguage:
    """A language: its letters outside ASCII, frequent ones first, and some of its most common words."""

    letters: str
    words: frozenset[str]


def _language(letters: str, words: str) -> WrittenLanguage:
    return WrittenLanguage(letters, frozenset(words.split()))


_ENGLISH = _language("", "the of and to in is for on with at by from that this are was")
WESTERN = (
    _ENGLISH,
    _language("üäöß", "der die das und ist ein eine mit für auf von zu im den dem des nicht sich am an ab bei"),
    _language("éèàêçùôîâûëïœ", "le la les de des du et est un une en au aux pour dans sur que qui par à avec pas"),
    _language("óíáéñúü", "el la los las de del y en es un una que por con para se su al"),
    _language("ãçáéíóõêâúàôü", "o a os as de do da e em um uma que por com para não se na no ao"),
    _language("èàòùìé", "il lo la i gli le di del della e in un una che per con non è da al"),
    _language("åøæéò", "og i det er en et til på for med som den ikke av de at"),
    _language("äåöéü", "och i det är en ett till på för med som den inte av att ja on ei että"),
    _language("áíðéöúóþæý", "og í að er á það sem til um en var"),
)
CENTRAL = (
    _ENGLISH,
    _language("ąłężóśćńź", "i w na z do nie się jest to że o za od po dla przy"),
    _language("íáěéžšřčýůúňťďó", "a v na se je z do že s k o pro si za od"),
    _language("áíéúýčšžľťôňäďĺŕó", "a v na sa je z do že s k o pre si za od"),
    _language("éáöóőüúíű", "a az és hogy nem is egy van meg ez de"),
    _language("ăîâşţșț", "de la şi și în a cu pe nu este un o care din"),
    _language("čšžćđ", "i u je na se da za s su od in v ne"),
)
TURKISH = (_language("ışüçöğâîû", "ve bir bu için ile da de çok olarak"),)
BALTIC = (
    _language("äõüöšž", "ja on ei et see ka kui oma mis"),
    _language("ėšžąįųūčęāīēķļņģ", "ir yra kad su iš un ar no kas"),
)
CYRILLIC = (
    _language(
        "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "и в не на что с по это как к из за от для был есть или цена он она"
    ),
    _language("оаниіетврсклудмпязьбгчйхжїцшюєщфґ", "і в не на що з та до як це за від для"),
    _language("аиоентрсвлкдпмзгубяъчцхжшщйюфь", "и на в за се от да с не по е че"),
)
GREEK = (_language("αοιετσνηυρπκμλςωδγχθάόίέήφύβξώζψϊ", "και το της του η ο τα να με για από είναι τιμή καλημέρα"),)
HEBREW = (_language("יוהלארתבשמנדםעקחפסטזןגכצךףץ", "של את על לא עם זה הוא שלום"),)
ARABIC = (_language("اليمونرتبةعدسفهحقكجأصشضطخذىغإءزثآئظؤپچگ", "في من على إلى أن هذا التي و السلام"),)
IDEOGRAPHIC = (_ENGLISH,)
ALL = WESTERN + CENTRAL + TURKISH + BALTIC + CYRILLIC + GREEK + HEBREW + ARABIC
# Characters of Chinese and Korean that stand in nearly every text of some length.
COMMON_IDEOGRAPHS = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然"
    "家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日者意无力与长把机十"
    "民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应向文体政美相见被利什二等产或新价格元月份合同付款"
    "這個們來為國說時會對過發後裡種經麼學現當沒動還進樣開從實無與長機關點業將兩間問並應體見產價圓"
    "日本語東京会社年月円価格契約支払"
)
COMMON_SYLLABLES = frozenset(
    "이다의는을에가고하지도를은로한기사대어나아리시자서인부라일정상수보해과제전성주그와면원들만으장스요니있것게공구동여"
    "내유선소조위무미국습합입않없했된될할및격계약"
)
