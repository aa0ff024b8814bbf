3/4/5 white:
3/4/5 white: a1 b2
2/5/7 black: c1
1/2/3/4 white: -- a1
5/5/1 black:
6/3/2 white: a2 b1 c1
