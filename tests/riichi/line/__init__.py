"""Lines that tests share: the own turn with a riichi and calls, a claim, and a game of three."""

OWN = (
    "jtk1 tenhou;game.length=tonpu E1 honba=0 sticks=1 left=25 indicators=m1 "
    "E24000/z4z2z5z6.p8s4p8.m9.p3Sp5.s5m7RI S25000/s8m8z3Wp7z4s6p2p6s9m7z1z1/m111+,p23-4 "
    "W25000/m5m1Ss6m6s4m4m2s1.p6m4m6z1/z333- N25000/z4z7z7.p1m8s7z7.s7z7.s8.m2. hand=m8p3s3599z3+p5 ask=S/draw"
)
CLAIM = (
    "jtk1 tenhou;game.length=tonpu E2 honba=0 sticks=1 left=36 indicators=p9 "
    "E22000/m1.p6p3Sz2m0z2s6s3m1/m1-23 S22000/z5m7s2s8.p2.p5m2s5s5/p123- W38000/z5z6z3z1z6.z3.s3m7z2 "
    "N17000/z7z6z1m1Ep3m7s6Rp5.m9. hand=m4788p4407s4z1 ask=E/discard/N/m9"
)
THREE = (
    "jtk1 tenhou-3p;game.length=tonpu E1 honba=0 sticks=0 left=45 indicators=s8 E35000/s9s4p2/n1 "
    "S35000/z7.m1.s1/z222+ W35000/z7.z6z2S hand=p130678s349z11 ask=S/call"
)
