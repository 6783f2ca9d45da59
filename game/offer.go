package game

// offerPause is how many own moves a side makes after a refusal before it may offer again (D27).
const offerPause = 10

func (d *draft) offer(c Command) error {
	switch c.Kind {
	case OfferDraw:
		return d.offerDraw(c.By)
	case MuteOffers:
		if !d.offers.muted[c.By] {
			d.emit(Event{Kind: Muted, By: c.By})
		}
		return nil
	}
	if d.offers.open != c.By.Other() {
		return refuse(NoOffer)
	}
	if c.Accept {
		d.end(None, "agreement", d.rules.agreement)
		return nil
	}
	d.emit(Event{Kind: Declined, By: c.By})
	return nil
}

func (d *draft) offerDraw(by Side) error {
	if d.rules.offersAfterMoves && (d.ownMoves(White) == 0 || d.ownMoves(Black) == 0) {
		return refuse(BothMoved)
	}
	moves := d.ownMoves(by)
	refused := d.offers.refused[by]
	switch {
	case d.offers.open != None:
		return refuse(OfferOpen)
	case d.offers.muted[by.Other()]:
		return refuse(OffersMuted)
	case d.offers.made[by] == moves+1:
		return refuse(OfferOnce)
	case refused > 0 && moves-(refused-1) < offerPause:
		return refuse(OfferWait)
	}
	d.emit(Event{Kind: Offered, By: by})
	return nil
}
