// The faces of the tiles, drawn here, as SVG symbols in a box of 300 x 400; `tileView` shows one. The outlines of their
// characters, in a box of 1000 x 1000, are glyphs of Noto Serif CJK JP Bold (SIL Open Font License 1.1, © Adobe), drawn as
// paths so that no font is needed to show a tile.
"use strict";

/** @type {Record<string, string>} */
const GLYPHS = {
    一: "M825 342 742 458H35L45 490H941C958 490 970 485 973 474C918 422 825 342 825 342Z",
    二:
        "M41 787 50 816H936C950 816 962 811 965 800C913 754 828 686 828 686L752 787ZM139 224 147 252H834C849 252 860 " +
        "247 863 236C814 192 730 126 730 126L656 224Z",
    三:
        "M793 62 722 152H86L95 181H895C910 181 921 176 924 165C875 123 793 62 793 62ZM717 394 646 481H154L162 510H814" +
        "C829 510 840 505 843 494C795 453 717 394 717 394ZM845 750 771 843H33L41 872H949C964 872 975 867 978 856C928 " +
        "813 845 750 845 750Z",
    四:
        "M792 197V809H204V678L209 684C420 575 439 411 443 197H527V536C527 601 537 623 610 623H658C754 623 787 603 787" +
        " 562C787 542 782 529 757 517L754 418H742C731 459 718 503 711 514C707 521 701 522 694 523C689 523 680 523 669" +
        " 523H645C631 523 629 519 629 507V197ZM90 168V933H109C158 933 204 905 204 891V837H792V925H810C852 925 906 899" +
        " 907 890V215C928 211 942 203 949 195L837 106L782 168H214L90 118ZM204 663V197H333C331 387 330 540 204 663Z",
    五:
        "M137 460 146 488H332C302 629 269 774 241 879H28L36 908H947C962 908 973 903 976 892C933 848 858 782 858 782L7" +
        "92 879H759V506C780 502 793 494 799 486L687 399L629 460H461C481 363 500 268 515 189H887C902 189 913 184 916 1" +
        "73C871 131 793 69 793 69L725 161H89L97 189H391C377 267 358 362 338 460ZM365 879C392 775 425 630 455 488H639V" +
        "879Z",
    六:
        "M309 429C255 628 141 805 25 911L34 921C200 840 332 714 424 510C448 513 461 506 466 494ZM600 447 590 454C696 " +
        "565 800 733 828 876C974 993 1072 654 600 447ZM46 283 54 311H933C948 311 959 306 961 295C913 254 835 194 835 " +
        "194L764 283H558V91C585 87 593 77 595 63L437 50V283Z",
    七:
        "M31 475 44 501 325 448V798C325 901 374 923 500 923H634C858 923 913 902 913 842C913 819 902 805 863 789L858 6" +
        "18H848C823 701 802 760 788 783C779 796 768 800 751 801C729 804 692 804 644 804H513C464 804 447 795 447 763V4" +
        "25L946 332C959 329 970 321 971 310C912 275 821 225 821 225L762 338L447 397V92C472 89 481 77 482 64L325 47V42" +
        "0Z",
    八:
        "M294 288C274 563 192 803 27 938L38 947C264 833 377 617 427 344C451 343 462 332 465 319ZM274 130 283 158H578C" +
        "607 516 675 774 859 938C878 889 923 840 977 824L983 811C760 691 651 450 606 178C654 175 688 165 703 147L591 " +
        "65L547 130Z",
    九:
        "M73 288 82 316H322C313 571 265 781 28 954L39 968C371 815 432 592 446 316H617V824C617 902 637 925 728 925H803" +
        "C936 925 979 903 979 856C979 834 973 822 943 808L940 648H929C912 714 894 780 883 800C877 811 872 814 863 815" +
        "C854 816 835 816 815 816H761C737 816 732 810 732 794V328C754 325 764 319 771 311L663 222L605 288H447C450 221" +
        " 450 151 451 78C475 75 486 65 488 50L324 35C324 124 325 208 323 288Z",
    萬:
        "M32 137 39 166H298V247H316C367 247 410 233 410 223V166H582V243H600C654 242 696 228 696 219V166H940C955 166 9" +
        "65 161 968 150C930 114 865 63 865 63L806 137H696V70C722 66 730 57 731 43L582 30V137H410V70C436 66 444 57 445" +
        " 43L298 30V137ZM697 410V495H556V410ZM697 382H556V298H697ZM308 410H446V495H308ZM308 382V298H446V382ZM605 664 " +
        "595 670C613 687 630 710 644 735L556 737V644H778V838C778 851 773 857 757 857C733 857 634 851 634 851V864C684 " +
        "872 705 884 720 898C736 914 740 937 743 969C873 958 892 918 892 849V663C912 660 927 650 933 642L818 557L768 " +
        "616H556V524H697V563H717C755 563 810 537 811 528V315C829 311 842 303 848 296L739 214L687 270H315L196 223V577H" +
        "212C258 577 308 552 308 542V524H446V616H240L118 568V969H135C181 969 230 944 230 933V644H446V740C365 742 299 " +
        "742 259 741L302 866C313 865 324 857 331 845C471 813 578 787 659 765C666 783 671 801 672 818C760 885 843 707 " +
        "605 664Z",
    東:
        "M436 574H292V462H436ZM557 574V462H703V574ZM172 293V665H190C239 665 292 639 292 627V603H380C308 724 181 851 3" +
        "0 930L37 943C197 892 334 818 436 724V969H461C507 969 557 944 557 933V612C623 764 730 872 876 937C890 879 926" +
        " 841 971 829L973 818C827 787 665 710 576 603H703V650H724C766 650 825 624 826 616V341C846 337 859 329 866 321" +
        "L749 232L693 293H557V199H920C935 199 946 194 949 183C901 140 822 79 822 79L752 170H557V75C584 71 591 60 594 " +
        "46L436 31V170H53L61 199H436V293H300L172 244ZM436 433H292V322H436ZM557 433V322H703V433Z",
    南:
        "M325 382 316 387C340 422 364 478 364 526C450 600 553 432 325 382ZM596 42 441 29V176H40L49 204H441V336H250L12" +
        "1 284V970H140C190 970 241 942 241 928V365H773V824C773 837 768 845 751 845C725 845 620 837 620 837V852C673 85" +
        "9 695 874 712 891C728 908 734 935 736 972C874 960 893 914 893 836V384C914 380 927 371 934 364L818 275L763 33" +
        "6H560V204H934C949 204 961 199 964 188C915 147 836 89 836 89L767 176H560V70C587 66 594 56 596 42ZM656 492 607" +
        " 550H550C591 513 633 466 661 432C683 433 695 425 699 414L566 376C556 427 538 498 522 550H284L292 578H441V699" +
        "H262L270 727H441V939H461C520 939 554 919 555 914V727H727C741 727 751 722 754 711C716 678 654 632 654 632L601" +
        " 699H555V578H720C734 578 744 573 746 562C711 532 656 492 656 492Z",
    西:
        "M95 319V964H116C174 964 210 942 210 934V860H789V960H810C870 960 909 935 909 929V359C932 354 944 347 951 337L" +
        "842 252L785 319H636V157H937C952 157 964 152 966 141C918 100 839 42 839 42L769 128H39L47 157H332V319H222L95 2" +
        "72ZM443 157H527V319H443ZM210 832V722L216 729C416 633 441 478 443 348H527V566C527 634 536 658 612 658H658C752" +
        " 658 787 637 787 595C787 574 781 560 756 548L753 446H742C730 488 717 533 709 544C704 551 698 553 692 553C686" +
        " 553 679 553 670 553H650C638 553 636 549 636 536V348H789V832ZM210 716V348H332C331 474 316 610 210 716Z",
    北:
        "M27 706 94 852C106 848 116 837 120 823C202 764 267 713 316 672V966H339C383 966 432 942 432 931V105C459 101 4" +
        "66 91 468 77L316 61V329H61L70 357H316V627C194 664 77 696 27 706ZM832 215C796 278 735 370 667 448V107C692 103" +
        " 701 92 702 79L550 62V822C550 910 580 933 680 933H771C929 933 976 912 976 861C976 839 967 826 935 811L930 66" +
        "4H920C902 726 885 786 873 805C865 815 857 818 846 819C833 819 810 820 781 820H708C676 820 667 812 667 789V48" +
        "4C777 432 874 367 933 314C952 322 968 319 976 308Z",
    發:
        "M115 170 107 177C139 200 171 245 176 285C200 300 222 300 239 292C183 356 111 412 28 452L35 465C99 448 157 42" +
        "5 209 398H315V513H256L149 466C141 529 122 640 105 718C156 730 182 727 206 714L212 679H313C306 777 292 838 27" +
        "5 852C267 858 259 859 244 859C224 859 159 856 120 852L119 866C158 873 192 885 208 901C224 915 228 941 227 96" +
        "9C280 969 315 960 343 941C388 911 408 834 418 695C439 692 450 687 457 679L360 598L305 650H217L234 542H315V57" +
        "3H335C375 573 419 558 421 554V418C437 415 450 408 457 401L376 321L333 370H259C355 311 427 234 474 146C497 14" +
        "4 507 141 513 130L406 39L341 101H114L123 130H342C324 174 298 218 268 258C279 219 244 166 115 170ZM496 370V43" +
        "1C496 491 491 563 423 620L430 632C577 582 596 490 596 430V398H661V518C661 577 669 597 741 597H751L702 644H45" +
        "2L461 672H516C535 735 561 784 594 824C534 878 457 922 365 954L371 967C479 949 571 918 647 874C704 919 777 94" +
        "7 867 968C878 911 907 871 954 856V844C874 840 800 831 735 812C775 776 808 735 833 688C856 687 865 683 872 67" +
        "4L782 597H790C882 597 917 580 917 542C917 524 911 514 888 504L884 449H874C863 475 852 496 845 504C841 508 83" +
        "4 509 828 509C823 509 812 509 803 509H774C762 509 760 507 760 497V406C772 405 780 401 785 397C815 416 846 43" +
        "3 879 448C896 393 929 356 976 347L978 335C914 319 850 298 790 269C834 253 879 234 912 216C934 221 943 216 94" +
        "9 207L836 133C821 164 789 215 758 253C722 233 688 211 658 186C707 167 757 143 791 123C814 129 823 124 828 11" +
        "4L717 40C700 73 666 124 633 164C593 126 561 82 538 30L525 37C560 161 617 254 693 325L651 370H611L496 319ZM64" +
        "1 773C598 749 563 716 537 672H702C687 708 667 742 641 773Z",
    中:
        "M786 547H561V280H786ZM598 47 436 31V251H223L90 199V675H108C159 675 213 647 213 634V576H436V969H460C507 969 5" +
        "61 939 561 925V576H786V659H807C848 659 910 637 911 630V300C931 296 945 287 951 279L833 189L777 251H561V76C58" +
        "8 72 596 61 598 47ZM213 547V280H436V547Z",
};

/** @typedef {[x: number, y: number, r: number, colour: string]} Coin */
/** @typedef {[x: number, y: number, height: number, colour: string, turn?: number]} Stick */

const INK = "#1b2340";
const RED = "#b0141c";
const GREEN = "#0d6637";
const BLUE = "#1d3f8f";
const PAPER = "#fffdf6";
const NUMERALS = "一二三四五六七八九";
const HONOURS = "東南西北白發中";
const TILE_NAMES = [
    ...[..."mps"].flatMap((suit) => [..."0123456789"].map((n) => suit + n)),
    ...[..."1234567"].map((n) => `z${n}`),
];

/**
 * @param {string} character
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
function glyph(character, x, y, size, colour) {
    return html`<path fill=${colour} transform="translate(${x} ${y}) scale(${size / 1000})" d=${GLYPHS[character]} />`;
}

/**
 * 萬子: the numeral above 萬.
 * @param {number} rank
 * @param {boolean} red
 */
function characterFace(rank, red) {
    return [glyph(NUMERALS[rank - 1], 55, 4, 190, red ? RED : INK), glyph("萬", 50, 186, 200, RED)];
}

/**
 * One coin of 筒子.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {string} colour
 */
function coin(x, y, r, colour, heart = colour) {
    const petals = [0, 60, 120, 180, 240, 300].map((turn) => {
        const angle = (turn * Math.PI) / 180;
        const far = r * 0.47;
        const [cx, cy] = [x + far * Math.sin(angle), y - far * Math.cos(angle)];
        return html`<circle cx=${cx.toFixed(1)} cy=${cy.toFixed(1)} r=${(r * 0.15).toFixed(1)} fill=${colour} />`;
    });
    return html`<circle cx=${x} cy=${y} r=${r - r * 0.09} fill=${PAPER} stroke=${colour} stroke-width=${r * 0.19} />
        ${petals}
        <circle cx=${x} cy=${y} r=${(r * 0.24).toFixed(1)} fill=${heart} />`;
}

/** @type {Record<number, Coin[]>} */
const COINS = {
    2: [
        [150, 108, 66, GREEN],
        [150, 292, 66, BLUE],
    ],
    3: [
        [72, 84, 56, BLUE],
        [150, 200, 56, RED],
        [228, 316, 56, GREEN],
    ],
    4: [
        [83, 105, 58, BLUE],
        [217, 105, 58, GREEN],
        [83, 295, 58, GREEN],
        [217, 295, 58, BLUE],
    ],
    5: [
        [74, 86, 52, BLUE],
        [226, 86, 52, GREEN],
        [150, 200, 52, RED],
        [74, 314, 52, GREEN],
        [226, 314, 52, BLUE],
    ],
    6: [
        [88, 76, 52, GREEN],
        [212, 76, 52, GREEN],
        [88, 206, 52, RED],
        [212, 206, 52, RED],
        [88, 324, 52, RED],
        [212, 324, 52, RED],
    ],
    7: [
        [62, 60, 42, GREEN],
        [150, 98, 42, GREEN],
        [238, 136, 42, GREEN],
        [92, 234, 46, RED],
        [208, 234, 46, RED],
        [92, 338, 46, RED],
        [208, 338, 46, RED],
    ],
    8: [58, 153, 248, 342].flatMap((y) => [
        [90, y, 45, BLUE],
        [210, y, 45, BLUE],
    ]),
    9: [62, 150, 238].flatMap((x) => [
        [x, 70, 43, GREEN],
        [x, 200, 43, RED],
        [x, 330, 43, BLUE],
    ]),
};

/**
 * @param {number} rank
 * @param {boolean} red
 */
function coinFace(rank, red) {
    if (rank !== 1) return COINS[rank].map(([x, y, r, colour]) => coin(x, y, r, red ? RED : colour));
    const rays = Array.from({ length: 12 }, (_, n) => {
        const turn = `rotate(${n * 30} 150 200)`;
        return html`<path d="M150 84 q12 22 0 44 q-12 -22 0 -44" fill=${n % 2 ? RED : GREEN} transform=${turn} />`;
    });
    return html`<circle cx="150" cy="200" r="122" fill=${PAPER} stroke=${BLUE} stroke-width="14" />
        ${rays}${coin(150, 200, 62, RED, BLUE)}`;
}

/**
 * One stick of 索子: two joints and a knot.
 * @param {number} x
 * @param {number} y
 * @param {number} height
 * @param {string} colour
 */
function stick(x, y, height, colour, turn = 0) {
    const w = 34;
    const half = height / 2 - 3;
    /** @type {(top: number, bottom: number) => Rendered} */
    const joint = (top, bottom) => {
        const middle = (top + bottom) / 2;
        const right = `q0 -8 ${w / 2} -8 q${w / 2} 0 ${w / 2} 8 L${w * 0.36} ${middle} L${w / 2} ${bottom}`;
        const left = `q0 8 ${-w / 2} 8 q${-w / 2} 0 ${-w / 2} -8 L${-w * 0.36} ${middle} Z`;
        return html`<path d="M${-w / 2} ${top} ${right} ${left}" fill=${colour} />
            <path d="M0 ${top + 4} V${bottom - 4}" stroke=${PAPER} stroke-width="5" stroke-linecap="round" />`;
    };
    return html`<g transform="translate(${x} ${y}) rotate(${turn})">
        ${joint(-half + 6, -7)}${joint(7, half - 6)}
        <rect x=${-w / 2 - 1} y="-6" width=${w + 2} height="12" rx="6" fill=${colour} />
    </g>`;
}

/** @type {Record<number, Stick[]>} */
const STICKS = {
    2: [
        [150, 106, 170, BLUE],
        [150, 294, 170, GREEN],
    ],
    3: [
        [150, 106, 170, BLUE],
        [85, 294, 170, GREEN],
        [215, 294, 170, GREEN],
    ],
    4: [
        [85, 106, 170, GREEN],
        [215, 106, 170, BLUE],
        [85, 294, 170, BLUE],
        [215, 294, 170, GREEN],
    ],
    5: [
        [66, 106, 170, GREEN],
        [234, 106, 170, BLUE],
        [150, 200, 178, RED],
        [66, 294, 170, BLUE],
        [234, 294, 170, GREEN],
    ],
    6: [62, 150, 238].flatMap((x) => [
        [x, 106, 170, GREEN],
        [x, 294, 170, BLUE],
    ]),
    7: [
        [150, 72, 118, RED],
        [62, 204, 116, GREEN],
        [62, 330, 116, BLUE],
        [150, 204, 116, GREEN],
        [150, 330, 116, BLUE],
        [238, 204, 116, GREEN],
        [238, 330, 116, BLUE],
    ],
    8: [
        [48, 106, 170, GREEN],
        [252, 106, 170, GREEN],
        [112, 112, 150, GREEN, 28],
        [188, 112, 150, GREEN, -28],
        [48, 294, 170, BLUE],
        [252, 294, 170, BLUE],
        [112, 288, 150, BLUE, -28],
        [188, 288, 150, BLUE, 28],
    ],
    9: [72, 200, 328].flatMap((y) => [
        [62, y, 116, GREEN],
        [150, y, 116, RED],
        [238, y, 116, BLUE],
    ]),
};

/**
 * A feather of the bird on 1s.
 * @param {number} turn
 * @param {number} length
 */
function feather(turn, length) {
    const end = 262 - length;
    return html`<g transform="rotate(${turn} 150 262)">
        <path d="M150 262 V${end}" stroke=${GREEN} stroke-width="11" />
        <circle cx="150" cy=${end} r="24" fill=${GREEN} /><circle cx="150" cy=${end} r="13" fill=${PAPER} />
        <circle cx="150" cy=${end} r="7" fill=${RED} />
    </g>`;
}

function birdFace() {
    return html`${feather(-34, 132)}${feather(-17, 150)}${feather(0, 158)}${feather(17, 150)}${feather(34, 132)}
        <path d="M232 214 q30 -44 2 -70 q-30 -10 -36 22 q2 30 -20 54 z" fill=${BLUE} />
        <path d="M246 160 l34 12 l-34 10 z" fill=${RED} /><circle cx="232" cy="162" r="7" fill=${PAPER} />
        <g stroke-linecap="round" fill="none">
            <path d="M216 142 q-4 -22 -20 -30 M224 140 q2 -20 -8 -34" stroke=${RED} stroke-width="7" />
            <path d="M138 310 v44 m-22 12 q22 -14 44 0 M186 306 v46 m-22 12 q22 -14 44 0" stroke=${INK} stroke-width="10" />
        </g>
        <ellipse cx="158" cy="262" rx="84" ry="52" fill=${GREEN} />
        <path d="M92 262 q56 -42 108 0 q-52 36 -108 0" fill=${PAPER} />
        <path d="M112 262 q40 -26 74 0 q-36 22 -74 0" fill=${RED} />`;
}

/**
 * @param {number} rank
 * @param {boolean} red
 */
function stickFace(rank, red) {
    if (rank === 1) return birdFace();
    return STICKS[rank].map(([x, y, height, colour, turn]) => stick(x, y, height, red ? RED : colour, turn));
}

/** @param {number} rank */
function honourFace(rank) {
    if (rank !== 5) return glyph(HONOURS[rank - 1], 15, 58, 270, rank === 6 ? GREEN : rank === 7 ? RED : INK);
    return html`<g fill="none" stroke=${BLUE}>
        <rect x="48" y="62" width="204" height="276" rx="14" stroke-width="13" />
        <rect x="74" y="88" width="152" height="224" rx="6" stroke-width="6" />
    </g>`;
}

/**
 * A red five is told by more than its colour: a filled corner with a white star.
 * @param {Rendered} face
 */
function redFace(face) {
    return html`<g transform="translate(0 6)">${face}</g>
        <path d="M196 0 H300 V104 Z" fill=${RED} />
        <path d="M262 10 l7 17 18 1 -14 12 5 18 -16 -10 -16 10 5 -18 -14 -12 18 -1 z" fill="#fff" />`;
}

/** @param {string} name */
function tileFace(name) {
    const red = name[1] === "0";
    const rank = red ? 5 : Number(name[1]);
    if (name[0] === "z") return honourFace(rank);
    const face = name[0] === "m" ? characterFace : name[0] === "p" ? coinFace : stickFace;
    return red ? redFace(face(rank, red)) : face(rank, red);
}

/** All faces once, to be used by reference. */
function tileSymbols() {
    return TILE_NAMES.map((name) => html`<symbol id="t-${name}" viewBox="0 0 300 400">${tileFace(name)}</symbol>`);
}

/**
 * How a tile is called in words of the language, for screen readers.
 * @param {string | null} name
 */
function tileWords(name) {
    if (!name) return word("hidden");
    if (name[0] === "z") return LANGUAGE === "ja" ? HONOURS[Number(name[1]) - 1] : word("honours", Number(name[1]) - 1);
    const rank = name[1] === "0" ? 5 : Number(name[1]);
    const suit = { m: "萬", p: "筒", s: "索" }[name[0]];
    const plain = LANGUAGE === "ja" ? `${NUMERALS[rank - 1]}${suit}` : `${rank}${name[0]}`;
    return name[1] === "0" ? word("red") + plain : plain;
}

/**
 * A tile; its back where `name` is null. `classes` say how it lies, `note` what there is to say of it.
 * @param {string | null} name
 */
function tileView(name, classes = "", note = "") {
    const label = tileWords(name) + (note && ` (${note})`);
    return html`<span
        class=${["tile", !name && "back", classes].filter(Boolean).join(" ")}
        role="img" data-tile=${name || ""} aria-label=${label} title=${note ? label : undefined}
    >${name && html`<svg aria-hidden="true"><use href="#t-${name}" /></svg>`}</span>`;
}
